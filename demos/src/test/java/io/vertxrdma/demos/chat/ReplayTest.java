package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

  private static final int SLOTS = 4;

  private final ByteBuffer region = ByteBuffer.allocate(SLOTS * HistorySlot.SIZE);

  private static Line line(long sequence) {
    return new Line(sequence, 1_000 + sequence, "anna", "line " + sequence);
  }

  private static HistoryPlace place(long next) {
    return new HistoryPlace(0x7F00_0000_0000L, 0x89ABCDEF, SLOTS, next);
  }

  private void write(Line line) {
    region.put((int) ((line.sequence() - 1) % SLOTS) * HistorySlot.SIZE, HistorySlot.encode(line));
  }

  @Test
  void aRoomThatIsNotFullYetHasItsLinesInTheFirstSlots() {
    write(line(1));
    write(line(2));

    assertThat(place(3).memory().length()).isEqualTo(2L * HistorySlot.SIZE);
    Replay replay = Replay.in(region, place(3));

    assertThat(replay.lines()).containsExactly(line(1), line(2));
    assertThat(replay.overwritten()).isZero();
  }

  @Test
  void linesComeInTheOrderInWhichTheyWereSaid() {
    for (int i = 1; i <= 7; i++) {
      write(line(i));
    }

    assertThat(Replay.in(region, place(8)).lines())
        .containsExactly(line(4), line(5), line(6), line(7));
  }

  @Test
  void whatWasSaidAfterTheMemberCameIsNotShownTwice() {
    for (int i = 1; i <= 7; i++) {
      write(line(i));
    }

    // It came when the next line was the sixth; the last two come as messages.
    Replay replay = Replay.in(region, place(6));

    assertThat(replay.lines()).containsExactly(line(4), line(5));
    assertThat(replay.overwritten()).isEqualTo(2);
  }

  @Test
  void aSlotReadWhileItWasWrittenIsTheOldLineOrTheNewOneOrNoneButNeverAMixture() {
    Line old = new Line(1, 5, "anna", "a".repeat(ChatMessage.MAX_TEXT));
    Line later = new Line(5, 6, "bert", "b".repeat(300));
    byte[] before = HistorySlot.encode(old);
    byte[] after = HistorySlot.encode(later);
    int torn = 0;
    for (int cut = 0; cut <= after.length; cut++) {
      ByteBuffer slot = ByteBuffer.allocate(HistorySlot.SIZE);
      slot.put(0, before).put(0, after, 0, cut);
      // The other way round too: no order is promised.
      ByteBuffer reversed = ByteBuffer.allocate(HistorySlot.SIZE);
      reversed.put(0, before).put(cut, after, cut, after.length - cut);
      for (ByteBuffer read : new ByteBuffer[] {slot, reversed}) {
        Optional<Line> found = HistorySlot.decode(read, 0);
        found.ifPresent(line -> assertThat(line).isIn(old, later));
        torn += found.isPresent() ? 0 : 1;
      }
    }
    assertThat(torn).isEqualTo(2 * after.length - 2);
  }

  @Test
  void whatWasNeverWrittenIsNoLine() {
    assertThat(HistorySlot.decode(region, HistorySlot.SIZE)).isEmpty();
    region.putShort(20, (short) -1);
    assertThat(HistorySlot.decode(region, 0)).isEmpty();
  }

  @Test
  void theLongestLineThatARingCanBringFitsIntoASlot() {
    int text = ChatRing.SLOT_SIZE - ChatMessage.HEADER;
    Line longest = new Line(1, 2, "n".repeat(24), "t".repeat(text));
    byte[] slot = new byte[HistorySlot.SIZE];
    byte[] encoded = HistorySlot.encode(longest);
    System.arraycopy(encoded, 0, slot, 0, encoded.length);

    assertThat(HistorySlot.decode(ByteBuffer.wrap(slot), 0)).contains(longest);
  }

  @Test
  void aPlaceIsReadAsItWasWritten() {
    assertThat(HistoryPlace.decode(place(99).encode())).isEqualTo(place(99));
    assertThat(HistoryPlace.decode("")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 2 3",
        "x 1 4 5",
        "1000 1 0 5",
        "1000 1 3e9 5",
        "1000 1 4 0",
        "ffffffffffffff00 1 4 9"
      })
  void aPlaceThatNoHubHasIsAViolation(String text) {
    assertThatThrownBy(() -> HistoryPlace.decode(text)).isInstanceOf(ProtocolException.class);
  }
}
