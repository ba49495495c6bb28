package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Private data that a handler passes to another thread is read there long after the event's own
 * memory was freed and used again for others.
 */
class PrivateDataOnAnotherThreadContractTest {

  private static final int CONNECTIONS = 50;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void another_thread_reads_each_requests_private_data_after_all_others_came_and_went()
      throws Exception {
    ConcurrentLinkedQueue<Buffer> handedOver = new ConcurrentLinkedQueue<>();
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> handOverAndAccept(request, handedOver));
    int port = rig.listen(server);
    RdmaClient client = rig.client();
    List<Buffer> answers = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      RdmaConnection connection =
          rig.await(client.connect(port, rig.address(), Buffer.buffer(question(i))));
      answers.add(connection.peerPrivateData());
      rig.await(connection.close());
    }
    rig.await(client.close());
    rig.await(server.close());
    System.gc();

    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      List<String> read =
          other
              .submit(
                  () ->
                      handedOver.stream()
                          .map(PrivateDataOnAnotherThreadContractTest::text)
                          .toList())
              .get(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      List<String> answered =
          other
              .submit(
                  () -> answers.stream().map(PrivateDataOnAnotherThreadContractTest::text).toList())
              .get(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < CONNECTIONS; i++) {
        assertThat(read.get(i)).isEqualTo(question(i));
        assertThat(answered.get(i)).isEqualTo("answer to " + question(i));
      }
      assertThat(read).hasSize(CONNECTIONS);
    } finally {
      other.shutdownNow();
    }
  }

  private static Future<RdmaConnection> handOverAndAccept(
      ConnectRequest request, ConcurrentLinkedQueue<Buffer> handedOver) {
    handedOver.add(request.privateData());
    return request.accept(Buffer.buffer("answer to " + text(request.privateData())));
  }

  private static String question(int number) {
    return "question " + number;
  }

  private static String text(Buffer padded) {
    byte[] bytes = padded.getBytes();
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return new String(Arrays.copyOf(bytes, length));
  }
}
