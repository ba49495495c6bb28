package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class M6_AccessRightsTest {

  private static final int LOCAL_WRITE = 1;
  private static final int REMOTE_WRITE = 2;
  private static final int REMOTE_READ = 4;

  private final Bench bench = new Bench();
  private RdmaConnection connection;
  private RdmaMemory memory;

  @BeforeEach
  void connect() {
    connection = bench.connection();
    memory = connection.memory();
  }

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private long lastAccess() {
    return bench.fake.lastCall("ibv_reg_mr").argument(3);
  }

  @Test
  void remoteWriteWithoutLocalWriteIsRefusedBeforeTheCall() {
    for (AccessFlag right : new AccessFlag[] {AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.allocate(64, Set.of(right)))
          .withMessageContaining("LOCAL_WRITE");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.register(ByteBuffer.allocateDirect(64), Set.of(right)));
    }
    assertThat(bench.fake.calls("ibv_reg_mr")).isEmpty();
  }

  @Test
  void readOnlyMemoryWithWriteAccessIsRefusedBeforeTheCall() {
    ByteBuffer readOnly = ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
    for (AccessFlag right : new AccessFlag[] {AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.register(readOnly, EnumSet.of(AccessFlag.LOCAL_WRITE, right)))
          .withMessageContaining("read-only");
    }
    assertThat(bench.fake.calls("ibv_reg_mr")).isEmpty();
  }

  @Test
  void readOnlyMemoryMayBeReadByPeers() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64).put(0, (byte) 42);

    RegisteredBuffer made =
        Bench.get(memory.register(bytes.asReadOnlyBuffer(), Set.of(AccessFlag.REMOTE_READ)));

    assertThat(lastAccess()).isEqualTo(REMOTE_READ);
    assertThat(made.getBytes(0, 1)).containsExactly(42);
  }

  @Test
  void memoryToSendFromIsNeverRemotelyWritable() {
    Bench.get(memory.allocate(64));
    assertThat(lastAccess()).isEqualTo(LOCAL_WRITE);
    Bench.get(memory.copyOf(Buffer.buffer("text")));
    assertThat(lastAccess()).isEqualTo(LOCAL_WRITE);
    Bench.get(memory.allocateInbox(64));
    assertThat(lastAccess()).isEqualTo(LOCAL_WRITE | REMOTE_WRITE);
  }

  @Test
  void aPeerThatWritesToSendMemoryGetsRemoteAccessAndBothSidesEnd() {
    Bench.Pair pair = bench.pair();
    RegisteredBuffer staging = Bench.get(pair.server().memory().allocate(64));
    RegisteredBuffer line = Bench.get(pair.client().memory().copyOf(Buffer.buffer("evil")));

    Throwable failure = Bench.failure(pair.client().writeWithImmediate(line, staging.remote(), 1));

    assertThat(failure).hasMessageContaining("remote access error (10)");
    Bench.get(Future.join(pair.client().closed(), pair.server().closed()));
  }

  @Test
  void buffersThatCanNotBeRegisteredAreRefusedByName() {
    Set<AccessFlag> local = Set.of(AccessFlag.LOCAL_WRITE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory.register(ByteBuffer.allocate(64), local))
        .withMessageContaining("heap buffer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> memory.register(ByteBuffer.allocateDirect(0), local))
        .withMessageContaining("empty");
    assertThatIllegalArgumentException().isThrownBy(() -> memory.allocate(64, Set.of()));
    for (int size : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.allocate(size))
          .withMessageContaining(String.valueOf(size));
    }
    assertThat(bench.fake.calls("ibv_reg_mr")).isEmpty();
  }

  @Test
  void allocatedMemoryIsZeroedPageAlignedAndChecked() {
    RegisteredBuffer made = Bench.get(memory.allocate(100));
    FakeCall registered = bench.fake.lastCall("ibv_reg_mr");
    assertThat(registered.argument(1) % 4096).isZero();
    assertThat(made.getBytes(0, 100)).containsOnly(0);

    assertThatThrownBy(() -> made.setBytes(99, new byte[2]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> made.getBytes(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> made.slice(1, 100)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> made.slice(Integer.MAX_VALUE, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void memoryIsPinnedUntilItsOperationEndsAndUnusableAfterClose() {
    bench.fake.holdSends(true);
    RegisteredBuffer line = Bench.get(memory.copyOf(Buffer.buffer("text")));
    RemoteMemory there = new RemoteMemory(4096, 1, 4);
    Future<Void> write = connection.write(line.all(), there);
    Bench.until("the write", () -> bench.fake.pendingSends(bench.lastQueuePair()) == 1);

    Future<Void> closed = line.close();
    bench.settle();

    assertThat(closed.isComplete()).isFalse();
    assertThat(bench.fake.calls("ibv_dereg_mr")).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> line.getBytes(0, 1));
    assertThatIllegalStateException().isThrownBy(line::remote);
    assertThatIllegalStateException().isThrownBy(line::byteBuffer);
    assertThatIllegalStateException().isThrownBy(line::all);

    bench.fake.holdSends(false);
    Bench.get(write);
    Bench.get(closed);
    assertThat(bench.fake.calls("ibv_dereg_mr")).hasSize(1);
    assertThat(line.close()).isSameAs(closed);
  }

  @Test
  void aSliceOfClosedMemoryCanNotBeWritten() {
    RegisteredBuffer line = Bench.get(memory.copyOf(Buffer.buffer("text")));
    RegisteredBuffer.Slice slice = line.all();
    Bench.get(line.close());

    assertThatIllegalStateException()
        .isThrownBy(() -> connection.write(slice, new RemoteMemory(4096, 1, 4)))
        .withMessageContaining("closed");
    assertThat(bench.fake.calls("post_send")).isEmpty();
  }

  @Test
  void aSliceMadeUpByTheCallerIsCheckedToo() {
    RegisteredBuffer line = Bench.get(memory.allocate(16));
    RegisteredBuffer.Slice beyond = new RegisteredBuffer.Slice(line, 8, 16);
    RegisteredBuffer.Slice before = new RegisteredBuffer.Slice(line, -8, 8);
    for (RegisteredBuffer.Slice slice : new RegisteredBuffer.Slice[] {beyond, before}) {
      assertThatThrownBy(() -> connection.write(slice, new RemoteMemory(4096, 1, 16)))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(bench.fake.calls("post_send")).isEmpty();
  }

  @Test
  void memoryOfAnotherClientsDeviceIsRefused() {
    RegisteredBuffer foreign = Bench.get(otherConnection().memory().allocate(16));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.write(foreign.all(), new RemoteMemory(4096, 1, 16)))
        .withMessageContaining("not memory of this connection");
  }

  private RdmaConnection otherConnection() {
    // Contexts are handed out round robin: one of two is on the other loop.
    for (int i = 0; i < 2; i++) {
      RdmaClient client = bench.elsewhere(bench::client);
      RdmaConnection made = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      if (bench.fake.calls("ibv_alloc_pd").size() == 2) {
        return made;
      }
    }
    throw new AssertionError("all contexts are on one loop");
  }

  @Test
  void aTargetThatIsTooShortIsRefused() {
    RegisteredBuffer line = Bench.get(memory.allocate(16));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.write(line.all(), new RemoteMemory(4096, 1, 15)))
        .withMessageContaining("16")
        .withMessageContaining("15");
    assertThatIllegalArgumentException().isThrownBy(() -> connection.write(line.all(), null));
  }
}
