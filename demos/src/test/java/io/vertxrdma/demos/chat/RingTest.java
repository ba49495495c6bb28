package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {

  private final RingWriter writer = new RingWriter(4);
  private final RingReader reader = new RingReader(4);

  @Test
  void aWriterHasAsManySlotsAsTheRing() {
    for (int i = 0; i < 4; i++) {
      assertThat(writer.claim()).isEqualTo(i);
    }

    assertThat(writer.free()).isZero();
    assertThatThrownBy(writer::claim).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSlotIsFreeWhenItWasGivenBackAndItsWriteHasCompleted() {
    for (int i = 0; i < 4; i++) {
      writer.claim();
    }

    writer.credited(2);
    assertThat(writer.free()).isZero();
    writer.completed();
    assertThat(writer.free()).isEqualTo(1);
    writer.completed();
    writer.completed();
    assertThat(writer.free()).isEqualTo(2);
    assertThat(writer.underWay()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5, 0xFFFFFF})
  void givingBackWhatWasNeverWrittenIsAViolation(int count) {
    writer.claim();

    assertThatThrownBy(() -> writer.credited(count))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("of 1 written");
  }

  @Test
  void linesOutOfOrderAreAViolation() {
    reader.arrived(0);

    assertThatThrownBy(() -> reader.arrived(2))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("line 2 came, expected 1");
  }

  @Test
  void aLineIntoASlotThatWasNotFreeIsAViolation() {
    for (int i = 0; i < 4; i++) {
      reader.arrived(i);
    }

    assertThatThrownBy(() -> reader.arrived(4))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("not free");
  }

  @Test
  void creditsTravelInBatches() {
    RingReader large = new RingReader(64);
    int credits = 0;
    for (int i = 0; i < 40; i++) {
      large.arrived(i);
      credits += large.read() > 0 ? 1 : 0;
    }

    assertThat(credits).isEqualTo(2);
  }

  @Test
  void readingNothingIsAMistake() {
    assertThatThrownBy(reader::read).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noSlotIsOverwrittenBeforeItIsReadWhateverTheOrderOfEvents() {
    for (int seed = 0; seed < 50; seed++) {
      new Race(new Random(seed)).run();
    }
  }

  /** Writer and reader with a wire between that takes its time. */
  private static final class Race {

    private static final int SLOTS = 8;

    private final Random random;
    private final RingWriter writer = new RingWriter(SLOTS);
    private final RingReader reader = new RingReader(SLOTS);
    private final ArrayDeque<Integer> wire = new ArrayDeque<>();
    private final ArrayDeque<Integer> unread = new ArrayDeque<>();
    private final ArrayDeque<Integer> credits = new ArrayDeque<>();
    private final Set<Integer> occupied = new HashSet<>();
    private int acknowledgements;
    private int delivered;

    Race(Random random) {
      this.random = random;
    }

    void run() {
      while (delivered < 1_000) {
        switch (random.nextInt(5)) {
          case 0 -> write();
          case 1 -> arrive();
          case 2 -> read();
          case 3 -> credit();
          default -> acknowledge();
        }
      }
    }

    private void write() {
      if (writer.free() > 0) {
        int sequence = writer.claim();
        assertThat(occupied.add(sequence % SLOTS)).as("slot of %d is free", sequence).isTrue();
        wire.add(sequence);
      }
    }

    private void arrive() {
      if (!wire.isEmpty()) {
        unread.add(wire.peek());
        reader.arrived(wire.remove());
        acknowledgements++;
      }
    }

    private void read() {
      if (!unread.isEmpty()) {
        occupied.remove(unread.remove() % SLOTS);
        delivered++;
        int due = reader.read();
        if (due > 0) {
          credits.add(due);
        }
      }
    }

    private void credit() {
      if (!credits.isEmpty()) {
        writer.credited(credits.remove());
      }
    }

    private void acknowledge() {
      if (acknowledgements > 0) {
        acknowledgements--;
        writer.completed();
      }
    }
  }
}
