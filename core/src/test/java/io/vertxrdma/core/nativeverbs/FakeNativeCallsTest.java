package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fake itself: misuse that would crash, hang or leak with the real libraries is recorded. */
class FakeNativeCallsTest {

  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;

  private final FakeNativeCalls fake = new FakeNativeCalls().destroyPatience(Duration.ZERO);
  private Memory.Block scratch;
  private long channel;

  @BeforeEach
  void open() {
    scratch = Memory.allocate(256);
    channel = fake.rdma_create_event_channel();
    fake.fcntl(Memory.getInt(channel), F_SETFL, O_NONBLOCK);
  }

  @AfterEach
  void close() {
    scratch.close();
    fake.close();
  }

  private long newId() {
    assertThat(fake.rdma_create_id(channel, scratch.address(), 7, 0x106)).isZero();
    return Memory.getLong(scratch.address());
  }

  private long event() {
    assertThat(fake.rdma_get_cm_event(channel, scratch.address())).isZero();
    return Memory.getLong(scratch.address());
  }

  private void violated(String what) {
    List<String> violations = fake.violations();
    assertThat(violations).hasSize(1);
    assertThat(violations.get(0)).contains(what);
  }

  @Test
  void a_second_destroy_is_use_of_a_freed_pointer() {
    long id = newId();
    fake.rdma_destroy_id(id);
    assertThat(fake.rdma_destroy_id(id)).isEqualTo(-1);
    violated("rdma_destroy_id on a freed pointer");
  }

  @Test
  void a_pointer_never_given_out_is_unknown() {
    fake.rdma_listen(0x1234, 1);
    violated("rdma_listen on an unknown pointer 0x1234");
  }

  @Test
  void destroying_an_id_with_an_unacknowledged_event_hangs() {
    long id = newId();
    fake.event(id).type(10).enqueue();
    event();
    fake.rdma_destroy_id(id);
    violated("hangs");
  }

  @Test
  void the_event_of_a_request_counts_on_the_listener_and_not_on_the_child() {
    long listener = newId();
    fake.incomingRequest(listener).enqueue();
    long event = event();
    long child = Memory.getLong(event);
    fake.rdma_destroy_id(child);
    assertThat(fake.violations()).isEmpty();
    fake.rdma_destroy_id(listener);
    violated("hangs");
  }

  @Test
  void acknowledging_twice_is_use_of_a_freed_event_and_its_bytes_are_overwritten() {
    fake.event(newId()).type(9).privateData((byte) 1).enqueue();
    long event = event();
    long data = Memory.getLong(event + 24);
    assertThat(Memory.getUnsignedByte(data)).isEqualTo(1);
    fake.rdma_ack_cm_event(event);
    assertThat(Memory.getUnsignedByte(data)).isEqualTo(0xDD);
    fake.rdma_ack_cm_event(event);
    violated("rdma_ack_cm_event on a freed pointer");
  }

  @Test
  void accept_without_a_queue_pair_is_a_crash() {
    long listener = newId();
    fake.incomingRequest(listener).enqueue();
    long event = event();
    long child = Memory.getLong(event);
    fake.rdma_ack_cm_event(event);
    fake.rdma_accept(child, 0);
    violated("crash");
  }

  @Test
  void reading_an_empty_queue_of_a_blocking_descriptor_would_hang() {
    fake.fcntl(Memory.getInt(channel), F_SETFL, 0);
    assertThat(fake.rdma_get_cm_event(channel, scratch.address())).isEqualTo(-1);
    assertThat(fake.errno()).isEqualTo(11);
    violated("blocks");
  }

  @Test
  void a_completion_queue_with_unacknowledged_events_hangs_at_destroy() {
    long context = Memory.getLong(fake.rdma_get_devices(0));
    long completions = fake.ibv_create_comp_channel(context);
    long queue = fake.ibv_create_cq(context, 1, 0, completions, 0);
    fake.req_notify_cq(Memory.getLong(context + 104), queue, 0);
    fake.data.push(
        fake.model.cqs.get(queue), new FakeModel.Completion(1, 5, 0, 0, 0, 0, 0, 0, null, null));
    fake.ibv_get_cq_event(completions, scratch.address(), scratch.address() + 8);
    assertThat(Memory.getLong(scratch.address())).isEqualTo(queue);
    fake.ibv_destroy_cq(queue);
    violated("ibv_destroy_cq hangs");
  }

  @Test
  void what_is_left_and_what_was_wrong_makes_a_fake_unclean() {
    assertThatThrownBy(fake::assertClean)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("event channels=1");
    fake.rdma_destroy_event_channel(channel);
    fake.assertClean();
    fake.rdma_destroy_event_channel(channel);
    assertThatThrownBy(fake::assertClean).hasMessageContaining("freed pointer");
  }

  @Test
  void a_domain_with_regions_is_busy() {
    long context = Memory.getLong(fake.rdma_get_devices(0));
    long pd = fake.ibv_alloc_pd(context);
    assertThat(fake.ibv_reg_mr(pd, scratch.address(), 8, 0)).isNotZero();
    assertThat(fake.ibv_dealloc_pd(pd)).isEqualTo(16);
    violated("ibv_dealloc_pd");
  }

  @Test
  void a_call_through_the_wrong_function_pointer_is_a_crash() {
    long context = Memory.getLong(fake.rdma_get_devices(0));
    long queue = fake.ibv_create_cq(context, 1, 0, 0, 0);
    fake.poll_cq(Memory.getLong(context + 104), queue, 1, scratch.address());
    violated("crash: poll_cq");
  }

  @Test
  void a_failure_follows_the_convention_of_its_function() {
    fake.failNext("rdma_create_id", 24)
        .failNext("ibv_alloc_pd", 12)
        .failNext("ibv_dealloc_pd", 16)
        .failNext("ibv_get_cq_event", 4)
        .failNext("poll_cq", 5);
    assertThat(fake.rdma_create_id(channel, scratch.address(), 0, 0x106)).isEqualTo(-1);
    assertThat(fake.errno()).isEqualTo(24);
    assertThat(fake.ibv_alloc_pd(1)).isZero();
    assertThat(fake.errno()).isEqualTo(12);
    assertThat(fake.ibv_dealloc_pd(1)).isEqualTo(16);
    assertThat(fake.ibv_get_cq_event(1, 0, 0)).isEqualTo(-1);
    assertThat(fake.poll_cq(fake.device("fake0").function("poll_cq"), 1, 1, 0)).isEqualTo(-5);
    assertThat(fake.violations()).isEmpty();
  }
}
