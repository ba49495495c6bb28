package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer's memory is protected: what its key doesn't cover can't be written. */
class M1_WrongKeyOrBoundsContractTest {

  private static final int SIZE = 4096;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;
  private ByteBuffer surroundings;
  private RegisteredBuffer inbox;
  private RegisteredBuffer source;

  /** Ways to miss a region of 4096 bytes. */
  enum Miss {
    WITH_ANOTHER_KEY(to -> new RemoteMemory(to.address(), to.key() + 1, 8)),
    ONE_BYTE_BEFORE(to -> new RemoteMemory(to.address() - 1, to.key(), 8)),
    TWO_BYTES_AT_THE_LAST(to -> new RemoteMemory(to.address() + SIZE - 1, to.key(), 2)),
    ONE_BYTE_BEHIND(to -> new RemoteMemory(to.address() + SIZE, to.key(), 1)),
    ONE_BYTE_TOO_MANY(to -> new RemoteMemory(to.address(), to.key(), SIZE + 1)),
    AT_THE_END_OF_THE_ADDRESS_SPACE(to -> new RemoteMemory(-1, to.key(), 1));

    private final UnaryOperator<RemoteMemory> change;

    Miss(UnaryOperator<RemoteMemory> change) {
      this.change = change;
    }
  }

  @BeforeEach
  void connect() {
    ContractRig.Pair pair = rig.pair();
    server = pair.server();
    client = pair.client();
    // The region is the middle page of three, so that a stray byte on either side would be seen.
    surroundings = ByteBuffer.allocateDirect(4 * SIZE).alignedSlice(SIZE);
    inbox =
        rig.await(
            server
                .memory()
                .register(
                    surroundings.slice(SIZE, SIZE),
                    Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)));
    source = rig.await(client.memory().allocate(2 * SIZE));
    byte[] ones = new byte[2 * SIZE];
    java.util.Arrays.fill(ones, (byte) 1);
    source.setBytes(0, ones);
  }

  @ParameterizedTest(name = "a write {0} fails, changes nothing and closes both sides")
  @EnumSource
  void a_write_that_misses_fails_changes_nothing_and_closes_both_sides(Miss miss) {
    RemoteMemory target = miss.change.apply(inbox.remote());

    Throwable failure =
        rig.awaitFailure(
            client.writeWithImmediate(source.slice(0, (int) target.length()), target, 77));

    assertThat(failure)
        .isInstanceOf(WorkCompletionException.class)
        .hasMessageContaining("remote access error (10)");
    assertThat(((WorkCompletionException) failure).status())
        .isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
    rig.await(client.closed());
    rig.await(server.closed());
    assertThat(client.isOpen()).isFalse();
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventuallyEnded(subscriber);
    assertThat(subscriber.values()).isEmpty();
    byte[] after = new byte[surroundings.capacity()];
    surroundings.get(0, after);
    assertThat(after).containsOnly(0);
  }

  @Test
  void the_very_last_byte_can_be_written() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    rig.await(client.writeWithImmediate(source.slice(0, 1), inbox.remote().slice(SIZE - 1, 1), 77));
    Traffic.eventually("it arrives", () -> subscriber.values().size() == 1);
    assertThat(subscriber.values().get(0).byteLength()).isEqualTo(1);
    assertThat(inbox.getBytes(SIZE - 1, 1)).containsExactly(1);
    assertThat(inbox.getBytes(0, SIZE - 1)).containsOnly(0);
    assertThat(surroundings.get(2 * SIZE)).isZero();
    assertThat(client.isOpen()).isTrue();
  }

  @Test
  void a_target_shorter_than_the_source_or_around_the_address_space_is_refused_before_sending() {
    RemoteMemory there = inbox.remote();
    assertThatThrownBy(() -> client.write(source.slice(0, SIZE + 1), there))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4097")
        .hasMessageContaining("4096");
    assertThatThrownBy(() -> new RemoteMemory(-1, there.key(), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wraps around");
    assertThatThrownBy(() -> there.slice(SIZE - 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> source.slice(2 * SIZE - 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    rig.await(client.write(source.slice(0, SIZE), there));
    assertThat(inbox.getBytes(0, SIZE)).containsOnly(1);
  }
}
