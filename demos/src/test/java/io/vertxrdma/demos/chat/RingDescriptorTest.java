package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RemoteMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingDescriptorTest {

  private static final RingDescriptor RING =
      new RingDescriptor(new RemoteMemory(0x1000, 7, 4 * 512), 4, 512);

  @Test
  void slotsFollowEachOtherAlsoWhereSequenceNumbersWrapAround() {
    assertThat(RING.slot(ChatImmediate.MAX_VALUE)).isEqualTo(3);
    assertThat(RING.slot(0)).isZero();
    assertThat(RING.offset(6)).isEqualTo(1024);
  }

  @Test
  void aTargetIsAPartOfItsSlot() {
    assertThat(RING.target(5, 100)).isEqualTo(new RemoteMemory(0x1000 + 512, 7, 100));
  }

  @ParameterizedTest
  @CsvSource({"0, 512", "1, 512", "3, 512", "8192, 512", "64, 63", "64, 40000", "0, 0"})
  void ringsOfOddShapeAreRefused(int slots, int slotSize) {
    Buffer data =
        Buffer.buffer()
            .appendLong(0x1000)
            .appendInt(7)
            .appendUnsignedShort(slots)
            .appendUnsignedShort(slotSize);

    assertThatThrownBy(() -> RingDescriptor.decode(data, 0)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aRingThatWrapsAroundTheAddressSpaceIsRefused() {
    Buffer data = Buffer.buffer();
    data.appendLong(-1000).appendInt(7).appendUnsignedShort(64).appendUnsignedShort(512);

    assertThatThrownBy(() -> RingDescriptor.decode(data, 0)).isInstanceOf(ProtocolException.class);
  }
}
