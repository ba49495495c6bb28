package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Child processes while memory is registered: nothing of the parent's is copied or lost. */
class F1_ChildProcessesContractTest {

  private static final int CHILDREN = 50;
  private static final int REGIONS = 10_000;
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void fifty_children_start_while_traffic_runs_and_every_byte_arrives() throws Exception {
    ContractRig.Pair pair = rig.pair();
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(65_536));
    RegisteredBuffer out = rig.await(pair.client().memory().allocate(65_536));
    AtomicReference<String> wrong = new AtomicReference<>();
    AtomicInteger received = new AtomicInteger();
    AtomicBoolean stop = new AtomicBoolean();
    pair.server()
        .immediateHandler(
            (connection, immediate, length) -> {
              byte[] bytes = inbox.getBytes(0, 65_536);
              for (byte each : bytes) {
                if (each != (byte) immediate) {
                  wrong.compareAndSet(null, "immediate " + immediate + " with byte " + each);
                }
              }
              received.incrementAndGet();
              // The next one may come: the slot was read.
              pair.server().writeImmediate(Integer.toUnsignedLong(immediate));
            });
    pair.client()
        .immediateHandler(
            (connection, immediate, length) -> {
              if (!stop.get()) {
                write(pair.client(), out, inbox, immediate + 1);
              }
            });
    write(pair.client(), out, inbox, 1);
    Traffic.eventually("traffic runs", () -> received.get() > 2);

    for (int i = 0; i < CHILDREN; i++) {
      Process child = new ProcessBuilder("true").start();
      assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isZero();
    }

    int during = received.get();
    Traffic.eventually("traffic goes on", () -> received.get() > during + 5);
    stop.set(true);
    assertThat(wrong).hasNullValue();
    assertThat(pair.server().isOpen()).isTrue();
    assertThat(pair.client().isOpen()).isTrue();
  }

  private static void write(
      RdmaConnection from, RegisteredBuffer out, RegisteredBuffer inbox, int number) {
    byte[] bytes = new byte[65_536];
    Arrays.fill(bytes, (byte) number);
    out.setBytes(0, bytes);
    from.writeWithImmediate(out, inbox.remote(), Integer.toUnsignedLong(number));
  }

  @Test
  void ten_thousand_regions_of_odd_sizes_leave_the_number_of_mappings_as_it_was() throws Exception {
    ContractRig.Pair pair = rig.pair();
    AtomicInteger unaligned = new AtomicInteger();
    registerSome(pair.client(), 500, unaligned);
    long before = mappings();

    registerSome(pair.client(), REGIONS, unaligned);

    assertThat(unaligned).as("regions that do not start at a page").hasValue(0);
    // The runtime itself maps and unmaps a little.
    assertThat(mappings()).isLessThan(before + 200);
    rig.await(pair.client().close());
  }

  private void registerSome(RdmaConnection connection, int count, AtomicInteger unaligned) {
    for (int i = 0; i < count; i += 100) {
      Completable[] chunk = new Completable[100];
      for (int j = 0; j < chunk.length; j++) {
        int size = 1 + (i + j) * 37 % 20_000;
        chunk[j] =
            connection
                .memory()
                .rxAllocate(size)
                .flatMapCompletable(
                    buffer -> {
                      ByteBuffer bytes = buffer.byteBuffer();
                      if (bytes.alignmentOffset(0, 4_096) != 0) {
                        unaligned.incrementAndGet();
                      }
                      Future<Void> closed = buffer.close();
                      return Completable.fromCompletionStage(closed.toCompletionStage());
                    });
      }
      Completable.mergeArray(chunk).blockingAwait();
    }
  }

  private static long mappings() throws Exception {
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      return lines.count();
    }
  }
}
