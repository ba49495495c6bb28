package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.Future;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a device is handed for each operation ({@code struct ibv_send_wr}). */
class WorkRequestOnTheWireTest {

  // enum ibv_send_flags
  private static final int FENCE = 1;
  private static final int SIGNALED = 2;
  private static final int INLINE = 8;

  // Offsets in struct ibv_send_wr.
  private static final int NUM_SGE = 24;
  private static final int OPCODE = 28;
  private static final int FLAGS = 32;
  private static final int REMOTE_ADDRESS = 40;
  private static final int COMPARE_ADD = 48;
  private static final int SWAP = 56;
  private static final int ATOMIC_KEY = 64;

  private final Bench bench = new Bench();
  private final RdmaConnection connection =
      bench.connection(
          new RdmaClientOptions()
              .setParameters(ConnectionParameters.READ_HEAVY)
              .setMaxInlineData(32));
  private final RegisteredBuffer memory = Bench.get(connection.memory().allocate(4_096));
  private final RemoteMemory remote = new RemoteMemory(0x1000, 77, 4_096);

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private FakeCall posted(WorkRequest request) {
    Future<Void> done = connection.post(request);
    Bench.until("the post", () -> !bench.fake.calls("post_send").isEmpty());
    assertThat(done.failed()).isFalse();
    return bench.fake.lastCall("post_send");
  }

  @Test
  void smallWritesTravelInsideTheRequestAndLargerOnesDoNot() {
    assertThat(posted(WorkRequest.write(remote, memory.slice(0, 32))).i32(FLAGS))
        .isEqualTo(SIGNALED | INLINE);
    bench.fake.clearCalls();
    assertThat(posted(WorkRequest.write(remote, memory.slice(0, 33))).i32(FLAGS))
        .isEqualTo(SIGNALED);
    bench.fake.clearCalls();
    assertThat(posted(WorkRequest.write(remote)).i32(FLAGS)).isEqualTo(SIGNALED);
  }

  @Test
  void aReadIsNeverInlineAndAFenceIsSet() {
    FakeCall read = posted(WorkRequest.read(remote, memory.slice(0, 8)).fenced());
    assertThat(read.i32(OPCODE)).as("IBV_WR_RDMA_READ").isEqualTo(4);
    assertThat(read.i32(FLAGS)).isEqualTo(SIGNALED | FENCE);
    assertThat(read.i64(REMOTE_ADDRESS)).isEqualTo(0x1000);
    assertThat(read.i32(COMPARE_ADD)).as("rkey of the rdma union").isEqualTo(77);
  }

  @Test
  void emptySlicesTakeNoEntry() {
    FakeCall write =
        posted(
            WorkRequest.write(
                remote, memory.slice(0, 40), memory.slice(50, 0), memory.slice(60, 4)));
    assertThat(write.i32(NUM_SGE)).isEqualTo(2);
  }

  @Test
  void atomicOperandsAreWhereTheDeviceLooks() {
    FakeCall swap =
        posted(WorkRequest.compareAndSwap(remote.slice(8, 8), 5, -6, memory.slice(16, 8)));
    assertThat(swap.i32(OPCODE)).as("IBV_WR_ATOMIC_CMP_AND_SWP").isEqualTo(5);
    assertThat(swap.i64(REMOTE_ADDRESS)).isEqualTo(0x1008);
    assertThat(swap.i64(COMPARE_ADD)).isEqualTo(5);
    assertThat(swap.i64(SWAP)).isEqualTo(-6);
    assertThat(swap.i32(ATOMIC_KEY)).isEqualTo(77);
    bench.fake.clearCalls();
    FakeCall add = posted(WorkRequest.fetchAndAdd(remote.slice(8, 8), 9, memory.slice(16, 8)));
    assertThat(add.i32(OPCODE)).as("IBV_WR_ATOMIC_FETCH_AND_ADD").isEqualTo(6);
    assertThat(add.i64(COMPARE_ADD)).isEqualTo(9);
  }

  @Test
  void requestsPostedTogetherAreOneChainOfWhichTheLastIsSignalled() {
    bench.fake.clearCalls();
    List<Future<Void>> futures =
        connection.postAll(
            IntStream.range(0, 40)
                .mapToObj(i -> WorkRequest.writeWithImmediate(remote, i, memory.slice(i, 1)))
                .toList());
    Bench.until("all to complete", () -> futures.stream().allMatch(Future::succeeded));
    assertThat(bench.fake.calls("post_send")).hasSize(1);
  }

  @Test
  void oneRequestThatCanNotWorkKeepsTheOthersFromBeingPosted() {
    bench.fake.clearCalls();
    RegisteredBuffer.Slice[] many = new RegisteredBuffer.Slice[5];
    java.util.Arrays.fill(many, memory.slice(0, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                connection.postAll(
                    List.of(
                        WorkRequest.write(remote, memory.slice(0, 1)),
                        WorkRequest.write(remote, many))))
        .withMessageContaining("maxScatterGather");
    assertThat(connection.counters().operationsWaiting()).isZero();
    assertThat(bench.fake.calls("post_send")).isEmpty();
  }
}
