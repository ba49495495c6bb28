package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.RdmaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Depths and capabilities (cases P1, P2, P3): unsigned in Java, unsigned in native memory. */
class P3_WideCapabilitiesTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private static ConnParam depths(int responder, int initiator) {
    return new ConnParam(null, responder, initiator, 0, 7, 7, false, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 16, 255, 256, 65535, 0x80000000L, 0xFFFFFFFFL})
  void a_capability_is_the_unsigned_number_the_device_reports(long value) {
    rig.fake.device("fake0").maxQpRdAtom((int) value).maxQpInitRdAtom((int) value);
    DeviceAttributes attributes = rig.device().attributes();
    assertThat(attributes.maxResponderResources()).isEqualTo(value);
    assertThat(attributes.maxInitiatorDepth()).isEqualTo(value);
  }

  @Test
  void the_two_depth_limits_are_not_mixed_up() {
    rig.fake.device("fake0").maxQpRdAtom(11).maxQpInitRdAtom(22);
    assertThat(rig.device().attributes().maxResponderResources()).isEqualTo(11);
    assertThat(rig.device().attributes().maxInitiatorDepth()).isEqualTo(22);
  }

  @Test
  void the_other_attributes_come_from_their_own_fields() {
    rig.fake.device("fake0").maxCqe(777).maxQpWr(333).maxMrSize(1L << 33).firmware("1.2.3");
    DeviceAttributes attributes = rig.device().attributes();
    assertThat(attributes.maxCompletionQueueEntries()).isEqualTo(777);
    assertThat(attributes.maxQueuePairWorkRequests()).isEqualTo(333);
    assertThat(attributes.maxMemoryRegionSize()).isEqualTo(1L << 33);
    assertThat(attributes.firmwareVersion()).isEqualTo("1.2.3");
    assertThat(attributes.nodeGuid()).isEqualTo(0x8102030405060700L);
    assertThat(attributes.vendorId()).isEqualTo(0xFFFFFF);
    assertThat(attributes.maxQueuePairs()).isEqualTo(65536);
    assertThat(attributes.maxScatterGather()).isEqualTo(32);
    assertThat(attributes.maxSharedReceiveQueues()).isEqualTo(1024);
    assertThat(attributes.maxSharedReceiveQueueWorkRequests()).isEqualTo(16384);
    assertThat(attributes.atomics()).isTrue();
    assertThat(attributes.portCount()).isEqualTo(1);
  }

  @Test
  void port_attributes_come_from_their_own_fields() {
    assertThat(rig.device().queryPort(1).maxMtu()).isEqualTo(4096);
    assertThat(rig.device().queryPort(1).activeMtu()).isEqualTo(1024);
    assertThat(rig.device().queryPort(1).maxMessageSize()).isEqualTo(0x80000000L);
    assertThat(rig.device().queryPort(1).ethernet()).isTrue();
    assertThatThrownBy(() -> rig.device().queryPort(2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_value_255_goes_into_the_struct_as_ff_and_comes_out_as_255() {
    rig.resolved().connect(depths(255, 255));
    FakeCall call = rig.fake.lastCall("rdma_connect");
    assertThat(call.struct()[9]).isEqualTo((byte) 0xFF);
    assertThat(call.struct()[10]).isEqualTo((byte) 0xFF);
    rig.next(CmEventType.ESTABLISHED);
    CmId listener = rig.listener();
    rig.fake
        .incomingRequest(rig.pointer(listener))
        .responderResources(255)
        .initiatorDepth(254)
        .flowControl(200)
        .retryCount(7)
        .rnrRetryCount(6)
        .sharedReceiveQueue(true)
        .queuePairNumber(0xFFFFFF)
        .enqueue();
    CmEvent event = rig.next(CmEventType.CONNECT_REQUEST);
    rig.closing(event.id());
    assertThat(event.parameters().responderResources()).isEqualTo(255);
    assertThat(event.parameters().initiatorDepth()).isEqualTo(254);
    assertThat(event.parameters().flowControl()).isEqualTo(200);
    assertThat(event.parameters().retryCount()).isEqualTo(7);
    assertThat(event.parameters().rnrRetryCount()).isEqualTo(6);
    assertThat(event.parameters().sharedReceiveQueue()).isTrue();
    assertThat(event.parameters().queuePairNumber()).isEqualTo(0xFFFFFF);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "256, 0", "0, -1", "0, 300"})
  void what_does_not_fit_a_byte_is_refused_by_name(int responder, int initiator) {
    assertThatThrownBy(() -> depths(responder, initiator))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(responder != 0 ? "responderResources" : "initiatorDepth")
        .hasMessageContaining("0..255")
        .hasMessageContaining(Integer.toString(responder + initiator));
  }

  @Test
  void a_depth_above_the_device_is_einval_with_the_values_and_the_id_stays_usable() {
    rig.fake.device("fake0").maxQpRdAtom(16).maxQpInitRdAtom(16);
    CmId id = rig.resolved();
    assertThatThrownBy(() -> id.connect(depths(32, 17)))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("Invalid argument")
        .hasMessageContaining("responderResources=32")
        .hasMessageContaining("initiatorDepth=17");
    id.connect(depths(16, 16));
    rig.next(CmEventType.ESTABLISHED);
  }

  @Test
  void a_device_that_librdmacm_misreads_as_0_is_a_clear_error_and_no_loop() {
    // librdmacm keeps a byte: 256 becomes 0, and then refuses everything but 0 and 255.
    rig.fake.device("fake0").maxQpRdAtom(256).maxQpInitRdAtom(256);
    CmId id = rig.resolved();
    assertThatThrownBy(() -> id.connect(depths(1, 1))).hasMessageContaining("Invalid argument");
    assertThat(rig.fake.calls("rdma_connect")).hasSize(1);
    id.connect(depths(255, 255));
    rig.next(CmEventType.ESTABLISHED);
  }

  @Test
  void depths_arrive_mirrored_and_are_not_mirrored_again() {
    rig.listener();
    CmId client = rig.resolved();
    client.connect(depths(5, 3));
    CmEvent request = rig.next(CmEventType.CONNECT_REQUEST);
    CmId server = rig.closing(request.id());
    assertThat(request.parameters().responderResources()).isEqualTo(3);
    assertThat(request.parameters().initiatorDepth()).isEqualTo(5);
    rig.queuePair(server);
    server.accept(depths(3, 5));
    CmEvent established = rig.next(CmEventType.ESTABLISHED);
    assertThat(established.id()).isSameAs(client);
    assertThat(established.parameters().responderResources()).isEqualTo(5);
    assertThat(established.parameters().initiatorDepth()).isEqualTo(3);
    assertThat(established.parameters().retryCount()).isZero();
    assertThat(rig.next(CmEventType.ESTABLISHED).id()).isSameAs(server);
    assertThat(client.queuePair().query().maxReadAtomic()).isEqualTo(3);
    assertThat(client.queuePair().query().maxDestinationReadAtomic()).isEqualTo(5);
    assertThat(server.queuePair().query().maxReadAtomic()).isEqualTo(5);
  }
}
