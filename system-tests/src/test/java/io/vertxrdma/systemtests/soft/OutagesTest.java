package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.soft.io.FaultInjection;
import io.vertxrdma.soft.io.Faults;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.io.Timers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A link that is out for 100 ms again and again: retry count 1 ends the connection, the preset for
 * networks that lose packets survives. Both with a local ACK timeout of 33.6 ms (code 13), so that
 * two attempts fit into an outage and eight do not.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OutagesTest {

  private static final int SECONDS = 60;
  private static final String ADDRESS = "127.0.0.1";
  private static final int ACK_TIMEOUT = 13;
  private static final int OUTAGES = 10;

  private final Vertx vertx = Vertx.vertx();
  private final SoftProvider provider =
      new SoftProvider(new SoftProviderOptions().setLinkDecorator(this::decorate));
  private volatile Outages outages;

  /** Turns a link off and on by its own timers. */
  private static final class Outages {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private final FaultInjection link;
    private final Timers timers;
    private final AtomicInteger felt = new AtomicInteger();
    private volatile boolean over;

    Outages(FaultInjection link, Timers timers) {
      this.link = link;
      this.timers = timers;
    }

    void begin() {
      timers.schedule(0, this::out);
    }

    private void out() {
      if (over) {
        return;
      }
      long droppedBefore = link.injected().dropped();
      link.setFaults(Faults.dropping(1));
      timers.schedule(PERIOD_NANOS, () -> backAgain(droppedBefore));
    }

    private void backAgain(long droppedBefore) {
      link.setFaults(Faults.NONE);
      if (link.injected().dropped() > droppedBefore) {
        felt.incrementAndGet();
      }
      timers.schedule(PERIOD_NANOS, this::out);
    }

    void end() {
      over = true;
    }
  }

  private Link decorate(Link link, Timers timers) {
    FaultInjection faulty = new FaultInjection(link, timers, 1, Faults.NONE);
    outages = new Outages(faulty, timers);
    return faulty;
  }

  @AfterEach
  void close() throws Exception {
    outages.end();
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  /** Writes numbers one after the other, each when the one before it was acknowledged. */
  private static void write(
      RdmaConnection connection, long number, BooleanSupplier enough, Promise<Long> written) {
    if (enough.getAsBoolean()) {
      written.complete(number);
    } else {
      connection
          .writeImmediate(number)
          .onSuccess(acknowledged -> write(connection, number + 1, enough, written))
          .onFailure(written::fail);
    }
  }

  private Future<Long> trafficThroughOutages(
      ConnectionParameters parameters, List<Long> arrived, List<Throwable> failures)
      throws Exception {
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onSuccess(
                    connection ->
                        connection.immediateHandler(
                            (from, value, length) -> arrived.add(Integer.toUnsignedLong(value)))));
    int port = server.listen(0, ADDRESS).await(SECONDS, TimeUnit.SECONDS).actualPort();
    RdmaConnection connection =
        RdmaClient.create(
                vertx,
                new RdmaClientOptions().setAckTimeout(ACK_TIMEOUT).setParameters(parameters),
                provider)
            .connect(port, ADDRESS)
            .await(SECONDS, TimeUnit.SECONDS);
    connection.exceptionHandler(failures::add);
    assertThat(connection.queuePairAttributes().timeout()).isEqualTo(ACK_TIMEOUT);
    assertThat(connection.queuePairAttributes().retryCount()).isEqualTo(parameters.retryCount());
    outages.begin();
    Promise<Long> written = Promise.promise();
    write(connection, 0, () -> outages.felt.get() >= OUTAGES, written);
    return written.future();
  }

  @Test
  void retry_count_one_does_not_survive_an_outage_and_says_why() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Future<Long> traffic =
        trafficThroughOutages(
            ConnectionParameters.DEFAULT.withRetryCount(1), new CopyOnWriteArrayList<>(), failures);

    assertThat(catchThrowable(() -> traffic.await(SECONDS, TimeUnit.SECONDS)))
        .isInstanceOf(WorkCompletionException.class)
        .hasMessageContaining("transport retry counter exceeded")
        .satisfies(
            failure ->
                assertThat(((WorkCompletionException) failure).status())
                    .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR));
    assertThat(outages.felt.get()).isLessThan(OUTAGES);
  }

  @Test
  void the_lossy_preset_survives_ten_outages_and_everything_arrives_once_in_order()
      throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Long> arrived = Collections.synchronizedList(new ArrayList<>());

    long written =
        trafficThroughOutages(ConnectionParameters.LOSSY_ROCE, arrived, failures)
            .await(SECONDS, TimeUnit.SECONDS);

    assertThat(outages.felt.get()).isGreaterThanOrEqualTo(OUTAGES);
    assertThat(failures).isEmpty();
    // What is acknowledged has arrived; its handler may still have to run.
    Awaitility.await("the last one").until(() -> arrived.size() >= written);
    assertThat(arrived).containsExactlyElementsOf(LongStream.range(0, written).boxed().toList());
  }
}
