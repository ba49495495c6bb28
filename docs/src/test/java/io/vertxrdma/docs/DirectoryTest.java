package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.directory.RdmaDirectory;
import io.vertxrdma.directory.RdmaEndpoint;
import io.vertxrdma.reactive.RdmaServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DirectoryTest {

  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  private static <T> T get(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void whoFollowsAServiceSeesAServerThatIsAnnounced() {
    RdmaServer server = RdmaServer.create(vertx).connectRequestHandler(request -> request.reject());
    get(server.listen(0, HOST));
    var seen = Directory.follow(RdmaDirectory.create(vertx)).test();
    seen.awaitCount(1);

    get(Directory.announce(vertx, server, HOST));

    seen.awaitCount(2);
    RdmaEndpoint endpoint =
        new RdmaEndpoint("prices", HOST, server.actualPort(), Map.of("region", "east"));
    assertThat(seen.values()).containsExactly(List.of(), List.of(endpoint));
  }
}
