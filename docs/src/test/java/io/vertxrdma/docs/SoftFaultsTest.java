package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SoftFaultsTest {

  private static final int COUNT = 500;

  @Test
  void everyImmediateArrivesOverALinkThatLosesPackets(Vertx vertx, VertxTestContext test) {
    RdmaServer server = SoftFaults.unreliable(vertx, 7);
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onFailure(test::failNow)
                .onSuccess(
                    connection ->
                        connection
                            .immediates()
                            .take(COUNT)
                            .toList()
                            .subscribe(
                                all ->
                                    test.verify(
                                        () -> {
                                          assertThat(all.get(COUNT - 1).value())
                                              .isEqualTo(COUNT - 1);
                                          test.completeNow();
                                        }),
                                test::failNow)));
    server
        .listen(0, "127.0.0.1")
        .compose(
            listening ->
                RdmaClient.create(vertx, new RdmaClientOptions().setProvider("soft"))
                    .connect(listening.actualPort(), "127.0.0.1"))
        .onFailure(test::failNow)
        .onSuccess(
            connection -> {
              for (int i = 0; i < COUNT; i++) {
                connection.writeImmediate(i).onFailure(test::failNow);
              }
            });
  }
}
