package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.RdmaException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Private data on its way into and out of native memory. */
class D5_PrivateDataMemoryTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private static ConnParam with(byte[] data) {
    return new ConnParam(data, 3, 5, 1, 2, 6, false, 0);
  }

  @Test
  void no_data_is_a_null_pointer_and_length_0() {
    for (byte[] data : new byte[][] {null, {}}) {
      rig.resolved().connect(with(data));
      FakeCall call = rig.fake.lastCall("rdma_connect");
      assertThat(call.i64(0)).isZero();
      assertThat(call.u8(8)).isZero();
      rig.next(CmEventType.ESTABLISHED);
    }
  }

  @Test
  void a_reject_without_data_is_a_null_pointer_and_length_0() {
    CmId listener = rig.listener();
    for (byte[] data : new byte[][] {null, {}}) {
      rig.requested(listener).reject(data);
      FakeCall call = rig.fake.lastCall("rdma_reject");
      assertThat(call.argument(1)).isZero();
      assertThat(call.argument(2)).isZero();
    }
  }

  @Test
  void every_field_of_the_parameters_is_written_where_c_reads_it() {
    rig.resolved().connect(new ConnParam(new byte[] {9, 8, 7}, 3, 5, 1, 2, 6, true, 0x00ABCDEF));
    FakeCall call = rig.fake.lastCall("rdma_connect");
    assertThat(Arrays.copyOfRange(call.struct(), 8, 16)).containsExactly(3, 3, 5, 1, 2, 6, 1, 0);
    assertThat(call.i32(16)).isEqualTo(0x00ABCDEF);
    assertThat(call.i32(20)).isZero();
    assertThat(call.data()).containsExactly(9, 8, 7);
    rig.next(CmEventType.ESTABLISHED);
  }

  @Test
  void the_bytes_are_those_of_the_array_at_the_time_it_was_given() {
    byte[] data = {1, 2, 3};
    ConnParam param = with(data);
    data[0] = 99;
    rig.resolved().connect(param);
    assertThat(rig.fake.lastCall("rdma_connect").data()).containsExactly(1, 2, 3);
    rig.next(CmEventType.ESTABLISHED);
  }

  @Test
  void a_length_above_127_does_not_turn_negative() {
    CmId listener = rig.listener();
    CmId server = rig.requested(listener);
    server.accept(with(new byte[196]));
    rig.next(CmEventType.ESTABLISHED);
    assertThat(rig.fake.lastCall("rdma_accept").u8(8)).isEqualTo(196);
    CmId other = rig.requested(listener);
    other.reject(new byte[148]);
    assertThat(rig.fake.lastCall("rdma_reject").data()).hasSize(148);
  }

  @Test
  void more_than_a_byte_can_count_is_refused_before_any_native_call() {
    assertThatThrownBy(() -> with(new byte[256]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("256")
        .hasMessageContaining("255");
    CmId server = rig.requested(rig.listener());
    assertThatThrownBy(() -> server.reject(new byte[300]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("300");
    assertThat(rig.fake.calls("rdma_reject")).isEmpty();
  }

  @Test
  void the_memory_lives_until_the_native_call_returns() {
    // The fake collects garbage inside the call before it reads.
    rig.fake.collectGarbageDuringCalls();
    CmId listener = rig.listener();
    Random random = new Random(5);
    for (int i = 0; i < 10; i++) {
      byte[] data = new byte[1 + random.nextInt(56)];
      random.nextBytes(data);
      CmId server = rig.requested(listener);
      server.accept(with(data));
      rig.next(CmEventType.ESTABLISHED);
      assertThat(rig.fake.lastCall("rdma_accept").data()).isEqualTo(data);
    }
  }

  @Test
  void a_thousand_requests_with_random_data_arrive_byte_by_byte() {
    CmId listener = rig.listener();
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      byte[] data = new byte[random.nextInt(57)];
      random.nextBytes(data);
      rig.fake.incomingRequest(rig.pointer(listener)).privateData(data).enqueue();
      CmEvent event = rig.next(CmEventType.CONNECT_REQUEST);
      assertThat(event.privateData()).isEqualTo(Arrays.copyOf(data, 56));
      event.id().close();
    }
  }

  @Test
  void data_read_from_an_event_outlives_its_acknowledgement() {
    // The fake overwrites the event with 0xDD when it is acknowledged, as free(3) might.
    CmId listener = rig.listener();
    rig.fake.incomingRequest(rig.pointer(listener)).privateData((byte) 1, (byte) 2).enqueue();
    CmEvent event = rig.next(CmEventType.CONNECT_REQUEST);
    assertThat(rig.fake.eventsAcknowledged()).isEqualTo(rig.fake.eventsFetched());
    byte[] first = event.privateData();
    assertThat(first).startsWith(1, 2, 0).hasSize(56);
    first[0] = 77;
    assertThat(event.privateData()).startsWith(1, 2);
    rig.closing(event.id());
  }

  @Test
  void an_event_without_data_gives_an_empty_array() {
    CmId id = rig.connected();
    id.disconnect();
    CmEvent event = rig.next(CmEventType.DISCONNECTED);
    assertThat(event.privateData()).isEmpty();
    assertThat(event.parameters()).isEqualTo(ConnParam.ZERO);
  }

  @Test
  void iwarp_data_keeps_its_length() {
    CmId listener = rig.listener();
    byte[] data = new byte[200];
    Arrays.fill(data, (byte) 0xA5);
    rig.fake.incomingRequest(rig.pointer(listener)).exactPrivateData(data).enqueue();
    CmEvent event = rig.next(CmEventType.CONNECT_REQUEST);
    assertThat(event.privateData()).isEqualTo(data);
    rig.closing(event.id());
  }

  @Test
  void what_the_kernel_refuses_is_an_error_and_the_id_can_connect_again() {
    CmId id = rig.resolved();
    assertThatThrownBy(() -> id.connect(with(new byte[57])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("rdma_connect")
        .hasMessageContaining("Invalid argument")
        .extracting("code")
        .isEqualTo(22);
    id.connect(with(new byte[56]));
    rig.next(CmEventType.ESTABLISHED);
  }
}
