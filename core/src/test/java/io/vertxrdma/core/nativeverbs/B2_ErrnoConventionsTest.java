package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The several ways in which the C functions say what went wrong. */
class B2_ErrnoConventionsTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource({
    "22, EINVAL, Invalid argument",
    "24, EMFILE, Too many open files",
    "13, EACCES, Permission denied",
    "4711, errno 4711, errno 4711"
  })
  void minus_one_with_errno_is_an_error_with_number_name_and_text(
      int errno, String symbol, String text) {
    rig.channel();
    rig.fake.failNext("rdma_create_id", errno);
    RdmaException failure =
        catchThrowableOfType(RdmaException.class, () -> rig.channel().createId(PortSpace.TCP));
    assertThat(failure.operation()).isEqualTo("rdma_create_id");
    assertThat(failure.code()).isEqualTo(errno);
    assertThat(failure.symbol()).isEqualTo(symbol);
    assertThat(failure).hasMessageContaining(text).hasMessageContaining("rdma_create_id");
    assertThat(rig.channel().liveIds()).isZero();
  }

  @Test
  void eagain_is_no_event() {
    rig.channel();
    rig.fake.failNext("rdma_get_cm_event", 11);
    assertThat(rig.channel().poll()).isNull();
  }

  @Test
  void eintr_is_tried_again_until_the_event_is_there() {
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.fake.clearCalls().failNext("rdma_get_cm_event", 4, 3);
    rig.next(CmEventType.ADDR_RESOLVED);
    assertThat(rig.fake.calls("rdma_get_cm_event")).hasSize(4);
  }

  @Test
  void eintr_is_tried_again_on_the_completion_channel_and_for_asynchronous_events() {
    rig.queue();
    rig.fake.failNext("ibv_get_cq_event", 4, 2).failNext("ibv_get_async_event", 4, 2);
    assertThat(rig.completions().drain(queue -> {})).isZero();
    assertThat(rig.device().asyncEvents().poll()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 19, 5})
  void another_errno_of_the_event_channel_is_an_error(int errno) {
    rig.channel();
    rig.fake.failNext("rdma_get_cm_event", errno);
    assertThatThrownBy(() -> rig.channel().poll())
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("rdma_get_cm_event")
        .extracting("code")
        .isEqualTo(errno);
  }

  @Test
  void errno_is_read_before_any_other_native_call() {
    // Every call that succeeds in the fake leaves 0 in errno, so a late reader sees 0.
    CmId id = rig.id();
    for (String function : new String[] {"rdma_bind_addr", "rdma_resolve_addr"}) {
      rig.fake.failNext(function, 99);
    }
    assertThatThrownBy(() -> id.bind(FakeRig.SERVER)).extracting("code").isEqualTo(99);
    assertThatThrownBy(() -> id.resolveAddress(null, FakeRig.SERVER, 1000))
        .extracting("code")
        .isEqualTo(99);
  }

  @ParameterizedTest
  @CsvSource({"12, 0", "-1, 12", "-12, 0"})
  void a_full_send_queue_is_enomem_however_the_driver_says_it(int returned, int errno) {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(2, 0)) {
      batch.add(1, SendOpcode.RDMA_WRITE_WITH_IMM, 0, 7, 0, 0);
      rig.fake.nextResult("post_send", returned, errno);
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isZero();
      assertThat(batch.post()).isZero();
      assertThat(batch.posted()).isEqualTo(1);
    }
  }

  @Test
  void a_chain_refused_in_the_middle_tells_how_many_went_out() {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(5, 0)) {
      for (int i = 0; i < 5; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, 0, i, 0, 0);
      }
      rig.fake.refusePost("post_send", 3, 12, 12);
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(3);
    }
  }

  @Test
  void a_receive_queue_takes_what_fits_and_refuses_the_rest_with_enomem() {
    QueuePair pair = rig.connected().queuePair();
    try (ReceiveBatch batch = pair.allocateReceiveBatch(40, 0)) {
      for (int i = 0; i < 40; i++) {
        batch.add(i);
      }
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(pair.capabilities().maxReceiveWorkRequests());
      assertThat(rig.fake.postedReceives(pair.number())).isEqualTo(batch.posted());
    }
  }

  @Test
  void a_negative_count_of_the_driver_is_a_broken_queue() {
    WorkCompletions completions = rig.queue().allocate(4);
    rig.fake.nextResult("poll_cq", -5, 0);
    assertThatThrownBy(() -> rig.queue().poll(completions))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("ibv_poll_cq");
    assertThat(completions.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-110, -111, 8, 10, 28, 0, 77})
  void an_event_status_keeps_its_sign_and_number(int status) {
    CmId id = rig.resolved();
    rig.fake.replyTo("rdma_connect").type(8).status(status);
    id.connect(ConnParam.ZERO);
    CmEvent event = rig.next(CmEventType.REJECTED);
    assertThat(event.status()).isEqualTo(status);
    assertThat(event.errno()).isZero();
    assertThat(event.privateData()).hasSize(148);
  }

  @Test
  void a_status_of_minus_one_comes_with_the_errno_the_library_left() {
    CmId id = rig.id();
    rig.fake.replyTo("rdma_resolve_addr").type(1).status(-1).errno(19);
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    CmEvent event = rig.next(CmEventType.ADDR_ERROR);
    assertThat(event.status()).isEqualTo(-1);
    assertThat(event.errno()).isEqualTo(19);
    assertThat(event.toString()).contains("RDMA_CM_EVENT_ADDR_ERROR").contains("ENODEV (19)");
  }

  @ParameterizedTest
  @CsvSource({
    "8, RDMA_CM_EVENT_REJECTED (8), no listener",
    "28, status 28, rejected by the application",
    "77, status 77, unknown reason",
    "-111, status -111, Connection refused"
  })
  void a_reject_reason_is_shown_as_number_and_words(int status, String part, String words) {
    assertThat(new ConnectionRejectedException(status, new byte[0]))
        .hasMessageContaining(part)
        .hasMessageContaining(words);
  }

  @Test
  void a_null_region_takes_its_cause_from_errno() {
    java.nio.ByteBuffer memory = java.nio.ByteBuffer.allocateDirect(64);
    rig.domain();
    rig.fake.failNext("ibv_reg_mr", 14);
    assertThatThrownBy(() -> rig.domain().register(memory, java.util.Set.of()))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("Bad address")
        .extracting("code")
        .isEqualTo(14);
  }

  @ParameterizedTest
  @CsvSource({"22, 0, 22", "-1, 16, 16", "-16, 0, 16"})
  void verbs_report_their_errno_as_value_or_in_errno(int returned, int errno, int expected) {
    QueuePair pair = rig.connected().queuePair();
    rig.fake.nextResult("ibv_modify_qp", returned, errno);
    assertThatThrownBy(() -> pair.setMinRnrTimer(12))
        .isInstanceOf(RdmaException.class)
        .extracting("code")
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 107, 6})
  void a_disconnect_that_came_second_is_no_error(int errno) {
    CmId id = rig.connected();
    rig.fake.failNext("rdma_disconnect", errno);
    id.disconnect();
    assertThat(rig.fake.calls("rdma_disconnect")).hasSize(1);
  }
}
