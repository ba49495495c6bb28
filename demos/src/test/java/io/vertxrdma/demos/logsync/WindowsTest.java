package io.vertxrdma.demos.logsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.demos.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of both windows, also where the sequence numbers wrap around. */
class WindowsTest {

  private static final long LAST = 4_294_967_295L;

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "4294967295, 1, 0",
    "4294967295, 4294967295, 4294967294",
    "0, -1, 4294967295",
    "4294967290, 10, 4"
  })
  void sequenceNumbersGoOnAtZeroAfterTheLast(long sequence, long count, long expected) {
    assertThat(SequenceNumbers.advance(sequence, count)).isEqualTo(expected);
    if (count >= 0) {
      assertThat(SequenceNumbers.distance(sequence, expected)).isEqualTo(count);
    }
  }

  @Test
  void aSlotIsFreeAgainWhenItsSegmentIsDurable() {
    SendWindow window = new SendWindow(7, 4);
    window.sent(4);
    assertThat(window.free()).isZero();

    assertThat(window.acknowledged(8)).isEqualTo(2);

    assertThat(window.free()).isEqualTo(2);
    assertThat(window.sequence(0)).isEqualTo(11);
    assertThat(window.slot(0)).isZero();
    assertThat(window.slot(1)).isEqualTo(1);
    assertThat(window.isIdle()).isFalse();
    assertThat(window.acknowledged(10)).isEqualTo(2);
    assertThat(window.isIdle()).isTrue();
  }

  @Test
  void slotsGoRoundEvenlyWhereSequenceNumbersWrap() {
    // Three does not divide 2^32: the slot must not follow from the sequence number.
    SendWindow sending = new SendWindow(LAST - 1, 3);
    ReceiveWindow receiving = new ReceiveWindow(LAST - 1, 3, 100);
    long[] sequences = {LAST - 1, LAST, 0, 1, 2, 3, 4};
    for (int i = 0; i < sequences.length; i++) {
      assertThat(sending.sequence(0)).isEqualTo(sequences[i]);
      assertThat(sending.slot(0)).isEqualTo(i % 3);
      sending.sent(1);
      receiving.arrived(sequences[i], 10 + i);
      assertThat(receiving.slot(0)).isEqualTo(i % 3);
      assertThat(receiving.length(0)).isEqualTo(10 + i);
      assertThat(sending.acknowledged(receiving.durable(1))).isEqualTo(1);
    }
  }

  @Test
  void anAcknowledgementIsCumulativeAcrossTheWrap() {
    SendWindow window = new SendWindow(LAST - 1, 8);
    window.sent(8);

    assertThat(window.acknowledged(5)).isEqualTo(8);
  }

  @ParameterizedTest
  @CsvSource({"9, 9", "14, 14", "10, 10", "4294967295, 4294967295"})
  void anAcknowledgementOfWhatDoesNotWaitIsRefused(long sequence, long named) {
    SendWindow window = new SendWindow(10, 8);
    window.sent(4);
    window.acknowledged(10);

    assertThatThrownBy(() -> window.acknowledged(sequence))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("the server acknowledged segment " + named + ", those that wait are 11 to 13");
  }

  @Test
  void anAcknowledgementOfNothingIsRefused() {
    assertThatThrownBy(() -> new SendWindow(0, 8).acknowledged(0))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("the server acknowledged segment 0, and none waits for that");
  }

  @Test
  void moreSegmentsThanFreeSlotsAreAMistakeOfTheCaller() {
    assertThatThrownBy(() -> new SendWindow(0, 8).sent(9))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("9 segments onto 8 free slots");
  }

  @Test
  void aGapIsReportedWithItsSize() {
    ReceiveWindow window = new ReceiveWindow(LAST, 8, 100);
    window.arrived(LAST, 1);

    assertThatThrownBy(() -> window.arrived(3, 1))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("a gap: segment 0 was expected, 3 came, 3 missing");
  }

  @Test
  void aSegmentThatComesAgainIsNoGap() {
    ReceiveWindow window = new ReceiveWindow(LAST, 8, 100);
    window.arrived(LAST, 1);

    assertThatThrownBy(() -> window.arrived(LAST, 1))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("segment 4294967295 came again, 0 was expected");
  }

  @ParameterizedTest
  @CsvSource({"0", "101", "4294967295"})
  void aSegmentHasABytesAtLeastAndASlotAtMost(long length) {
    assertThatThrownBy(() -> new ReceiveWindow(5, 8, 100).arrived(5, length))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("segment 5 must have 1..100 bytes, has " + length);
  }

  @Test
  void aSegmentBeforeItsSlotIsFreeIsRefused() {
    ReceiveWindow window = new ReceiveWindow(0, 2, 100);
    window.arrived(0, 1);
    window.arrived(1, 1);

    assertThatThrownBy(() -> window.arrived(2, 1))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("segment 2 came before one of 2 slots was free");
    window.durable(1);
    window.arrived(2, 1);
    assertThat(window.waiting()).isEqualTo(2);
  }

  @Test
  void theLongestPauseCountsOnlyWhileWritesAreUnderWay() {
    PauseMeter meter = new PauseMeter();
    meter.posted(2, 100);
    meter.completed(110);
    meter.completed(140);
    meter.posted(1, 1_000);
    meter.completed(1_005);

    assertThat(meter.longest()).isEqualTo(30);
  }
}
