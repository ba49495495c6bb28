package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Neither the garbage collector nor a closed handle can take memory away from the device. */
class M8_BuffersAndCollectorContractTest {

  private static final Set<AccessFlag> INBOX =
      Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_buffer_nobody_else_refers_to_outlives_the_collector_while_it_is_registered() {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer inbox = rig.await(pair.server().memory().register(fresh(), INBOX));
    RegisteredBuffer source =
        rig.await(pair.client().memory().copyOf(Buffer.buffer("after ten collections")));
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    for (int i = 0; i < 10; i++) {
      System.gc();
      fresh();
    }
    assertThat(garbage.get()).as("the collector did run").isNull();

    rig.await(pair.client().write(source.all(), inbox.remote()));

    assertThat(inbox.getBuffer(0, 21)).hasToString("after ten collections");
  }

  private static ByteBuffer fresh() {
    return ByteBuffer.allocateDirect(1 << 16);
  }

  @Test
  void the_memory_is_the_callers_own_from_position_to_limit() {
    ContractRig.Pair pair = rig.pair();
    ByteBuffer own = ByteBuffer.allocateDirect(100).position(10).limit(20);
    RegisteredBuffer inbox = rig.await(pair.server().memory().register(own, INBOX));
    RegisteredBuffer source = rig.await(pair.client().memory().copyOf(Buffer.buffer("0123456789")));
    assertThat(inbox.capacity()).isEqualTo(10);
    rig.await(pair.client().write(source.all(), inbox.remote()));
    byte[] all = new byte[100];
    own.duplicate().clear().get(all);
    assertThat(new String(all, 10, 10, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("0123456789");
    assertThat(all[9]).isZero();
    assertThat(all[20]).isZero();
    assertThat(own.position()).isEqualTo(10);
    assertThat(own.limit()).isEqualTo(20);
  }

  @Test
  void a_heap_buffer_and_an_empty_buffer_are_refused() {
    RdmaMemory memory = rig.pair().server().memory();
    assertThatThrownBy(() -> memory.register(ByteBuffer.allocate(64), INBOX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heap buffer");
    assertThatThrownBy(() -> memory.register(ByteBuffer.allocateDirect(0), INBOX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
    assertThatThrownBy(() -> memory.allocate(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  @Test
  void every_use_of_a_closed_buffer_throws_and_a_view_made_before_stays_readable() {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer buffer = rig.await(pair.client().memory().copyOf(Buffer.buffer("view")));
    RegisteredBuffer.Slice slice = buffer.all();
    ByteBuffer view = buffer.byteBuffer();
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(64));
    rig.await(buffer.close());

    List<ThrowingCallable> uses =
        List.of(
            buffer::remote,
            buffer::all,
            buffer::byteBuffer,
            () -> buffer.slice(0, 1),
            () -> buffer.getBytes(0, 1),
            () -> buffer.getBuffer(0, 1),
            () -> buffer.setBytes(0, new byte[1]),
            () -> buffer.setBuffer(0, Buffer.buffer("x")),
            () -> pair.client().write(slice, inbox.remote()),
            () -> pair.client().writeWithImmediate(slice, inbox.remote(), 1));
    assertThat(uses)
        .allSatisfy(
            use ->
                assertThatThrownBy(use)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed"));
    rig.await(buffer.close());
    assertThat(view.get(0)).isEqualTo((byte) 'v');
    assertThat(pair.client().isOpen()).isTrue();
  }

  @Test
  void memory_of_a_closed_client_and_operations_of_a_closed_connection_throw() {
    ContractRig.Pair pair = rig.pair();
    RdmaMemory memory = pair.client().memory();
    RegisteredBuffer left = rig.await(memory.allocate(64));
    rig.await(pair.client().close());
    assertThatThrownBy(() -> pair.client().writeImmediate(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");

    rig.await(pair.connector().close());

    assertThatThrownBy(() -> memory.allocate(64))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> left.getBytes(0, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memory_of_one_side_is_no_source_for_a_connection_of_another_event_loop() {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(64));
    assertThatThrownBy(() -> pair.client().write(inbox.all(), inbox.remote()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not memory of this connection");
  }
}
