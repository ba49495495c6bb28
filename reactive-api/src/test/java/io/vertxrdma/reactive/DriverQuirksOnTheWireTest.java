package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each quirk of the soft-RoCE driver makes the library do, and what it says of it. */
class DriverQuirksOnTheWireTest {

  private static final int RETRY_COUNT = 12;

  private final Bench rxe = new Bench(fake -> fake.noDevices().device("rxe0"));

  @AfterEach
  void close() {
    rxe.close();
  }

  private List<String> remarks(String text) {
    return rxe.log.at(Level.INFO).stream().filter(line -> line.contains(text)).toList();
  }

  @Test
  void theQuirksAreToldOnceWhenTheDeviceIsOpened() {
    rxe.connection();
    rxe.connection();

    assertThat(remarks("rxe0, driver rxe: retry counts above 6")).hasSize(1);
  }

  @Test
  void sixRetriesAreAskedForInsteadOfSevenAndThatIsSaid() {
    RdmaConnection connection = rxe.connection();

    assertThat(rxe.connParam("rdma_connect", RETRY_COUNT)).isEqualTo(6);
    assertThat(connection.negotiated().retryCount()).isEqualTo(6);
    assertThat(remarks(": retryCount: wanted 7, used 6 (driver rxe never gives up")).hasSize(1);
    assertThat(rxe.log.alarms()).isEmpty();
  }

  @Test
  void queuesAreArmedForAllCompletions() {
    RdmaConnection connection = rxe.connection();
    Bench.get(connection.writeImmediate(1));

    assertThat(rxe.fake.calls("req_notify_cq"))
        .isNotEmpty()
        .extracting(call -> call.argument(2))
        .containsOnly(0L);
  }

  @Test
  void noReceiveIsPostedOnceTheQueuePairIsInError() {
    RdmaConnection connection = rxe.connection(new RdmaClientOptions().setReceiveDepth(8));
    int number = rxe.lastQueuePair();
    var received = connection.immediates().test(0);
    rxe.burst(number, 4);
    Bench.until("them to wait", () -> connection.counters().immediatesWaiting() == 4);
    rxe.fake.clearCalls();

    rxe.fake.breakQueuePair(number);
    Bench.get(connection.closed());
    received.request(4);
    received.awaitCount(4);
    rxe.settle();

    assertThat(rxe.fake.calls("post_recv")).extracting(FakeCall::name).isEmpty();
  }
}
