package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The immediate: network order in the structs, the same unsigned number on both sides. */
class I3_ImmediateByteOrderTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private byte[] sent(int immediate) {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(1, 1)) {
      batch.add(
          42,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          SendFlag.SIGNALED,
          immediate,
          0x1122334455667788L,
          0xF00DF00D);
      assertThat(batch.post()).isZero();
    }
    return rig.fake.lastCall("post_send").struct();
  }

  @Test
  void deadbeef_lies_in_the_send_request_as_de_ad_be_ef() {
    byte[] request = sent(0xDEADBEEF);
    assertThat(request).hasSize(128);
    assertThat(Arrays.copyOfRange(request, 36, 40)).containsExactly(0xDE, 0xAD, 0xBE, 0xEF);
  }

  @ParameterizedTest
  @ValueSource(ints = {0xDEADBEEF, 0x00000001, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 0x01020304, 0})
  void any_value_is_in_network_order_when_sent(int value) {
    byte[] expected = ByteBuffer.allocate(4).putInt(value).array();
    assertThat(Arrays.copyOfRange(sent(value), 36, 40)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {0xDEADBEEFL, 1, 0x80000000L, 0xFFFFFFFFL, 0x7FFFFFFF, 0x01020304, 0})
  void any_value_reads_as_it_was_sent_and_is_never_negative(long value) {
    QueuePair pair = rig.connected().queuePair();
    rig.postReceives(pair, 1, 7);
    rig.fake.completeReceiveWithImm(pair.number(), (int) value, 64);
    WorkCompletions completions = rig.queue().allocate(4);
    assertThat(rig.queue().poll(completions)).isEqualTo(1);
    assertThat(completions.isReceiveRdmaWithImmediate(0)).isTrue();
    assertThat(completions.workRequestId(0)).isEqualTo(7);
    assertThat(completions.byteLength(0)).isEqualTo(64);
    assertThat(ImmediateData.toUnsigned(completions.immediate(0))).isEqualTo(value);
  }

  @Test
  void a_value_that_needs_more_than_32_bits_or_a_sign_is_refused() {
    assertThat(ImmediateData.ofUnsigned(0xFFFF_FFFFL)).isEqualTo(-1);
    for (long wrong : new long[] {-1, 0x1_0000_0000L, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> ImmediateData.ofUnsigned(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0..4294967295")
          .hasMessageContaining(Long.toString(wrong));
    }
  }

  @Test
  void every_other_field_of_the_send_request_is_in_its_place() {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(2, 2)) {
      batch.add(0x1_0000_0001L, SendOpcode.SEND, 0, 0, 0, 0);
      batch.add(
          2,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          SendFlag.SIGNALED | SendFlag.SOLICITED,
          1,
          0x1122334455667788L,
          0xF00DF00D);
      batch.addScatterGather(0x7000_0000_1000L, 4096, 0x11);
      batch.addScatterGather(0x7000_0000_2000L, 1, 0x12);
      // The fake refuses nothing here, but there is nobody to read memory that isn't there.
      assertThat(batch.post()).isZero();
    }
    FakeCall call = rig.fake.lastCall("post_send");
    assertThat(call.structs()).hasSize(2);
    assertThat(call.i64(0)).isEqualTo(0x1_0000_0001L);
    assertThat(call.i32(24)).isZero();
    assertThat(call.i32(28)).isEqualTo(2);
    ByteBuffer second =
        ByteBuffer.wrap(call.structs().get(1)).order(java.nio.ByteOrder.nativeOrder());
    assertThat(second.getLong(0)).isEqualTo(2);
    assertThat(second.getLong(8)).as("next of the last").isZero();
    assertThat(second.getInt(24)).isEqualTo(2);
    assertThat(second.getInt(28)).isEqualTo(1);
    assertThat(second.getInt(32)).isEqualTo(6);
    assertThat(second.getLong(40)).isEqualTo(0x1122334455667788L);
    assertThat(second.getInt(48)).isEqualTo(0xF00DF00D);
    ByteBuffer entries = ByteBuffer.wrap(call.data()).order(java.nio.ByteOrder.nativeOrder());
    assertThat(entries.getLong(0)).isEqualTo(0x7000_0000_1000L);
    assertThat(entries.getInt(8)).isEqualTo(4096);
    assertThat(entries.getInt(12)).isEqualTo(0x11);
    assertThat(entries.getLong(16)).isEqualTo(0x7000_0000_2000L);
    assertThat(entries.getInt(24)).isEqualTo(1);
    assertThat(entries.getInt(28)).isEqualTo(0x12);
  }

  @Test
  void an_atomic_has_its_key_behind_its_operands() {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(1, 1)) {
      batch.add(1, SendOpcode.ATOMIC_CMP_AND_SWP, SendFlag.SIGNALED, 0, 0x1000, 0xF0000001);
      batch.setAtomicOperands(11, 22);
      assertThat(batch.post()).isZero();
    }
    FakeCall call = rig.fake.lastCall("post_send");
    assertThat(call.i32(28)).isEqualTo(5);
    assertThat(call.i64(40)).isEqualTo(0x1000);
    assertThat(call.i64(48)).isEqualTo(11);
    assertThat(call.i64(56)).isEqualTo(22);
    assertThat(call.i32(64)).isEqualTo(0xF0000001);
  }
}
