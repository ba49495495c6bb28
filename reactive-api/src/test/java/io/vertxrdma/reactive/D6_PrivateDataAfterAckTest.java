package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectionRejectedException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** D6: what an event brought is a copy; its memory goes with the acknowledgement. */
class D6_PrivateDataAfterAckTest {

  private static <T> T onAnotherThread(Callable<T> read) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                outcome.complete(read.call());
              } catch (Exception failure) {
                outcome.completeExceptionally(failure);
              }
            },
            "reader")
        .start();
    return outcome.join();
  }

  private static byte[] padded(String text, int field) {
    return Arrays.copyOf(text.getBytes(), field);
  }

  @Test
  void requestReplyAndRejectionKeepTheirBytesAndStatusOnAnotherThread() throws Exception {
    try (Bench bench = new Bench()) {
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      RdmaServer server = bench.server();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      RdmaClient client = bench.client();
      List<CmEvent> events = new CopyOnWriteArrayList<>();
      client.events().subscribe(events::add);

      var connecting = client.connect(Bench.PORT, Bench.HOST, Buffer.buffer("question"));
      ConnectRequest request = requests.take();
      RdmaConnection accepted = Bench.get(request.accept(Buffer.buffer("answer")));
      RdmaConnection connected = Bench.get(connecting);
      var refusing = client.connect(Bench.PORT, Bench.HOST, Buffer.buffer("second"));
      ConnectRequest second = requests.take();
      Bench.get(second.reject(Buffer.buffer("no")));
      ConnectionRejectedException refused = (ConnectionRejectedException) Bench.failure(refusing);
      Bench.get(client.close());
      Bench.get(server.close());
      bench.settle();
      assertThat(bench.fake.eventsAcknowledged()).isEqualTo(bench.fake.eventsFetched());
      assertThat(bench.fake.ids()).isEmpty();

      assertThat(onAnotherThread(() -> request.privateData().getBytes()))
          .isEqualTo(padded("question", 56));
      assertThat(onAnotherThread(() -> accepted.peerPrivateData().getBytes()))
          .isEqualTo(padded("question", 56));
      assertThat(onAnotherThread(() -> connected.peerPrivateData().getBytes()))
          .isEqualTo(padded("answer", 196));
      assertThat(onAnotherThread(() -> second.privateData().getBytes()))
          .isEqualTo(padded("second", 56));
      assertThat(onAnotherThread(refused::privateData)).isEqualTo(padded("no", 148));
      CmEvent rejected =
          events.stream().filter(e -> e.type() == CmEventType.REJECTED).findFirst().orElseThrow();
      assertThat(onAnotherThread(rejected::privateData)).isEqualTo(padded("no", 148));
      assertThat(onAnotherThread(rejected::status)).isEqualTo(28);
      assertThat(onAnotherThread(() -> request.offered().retryCount())).isEqualTo(7);
    }
  }
}
