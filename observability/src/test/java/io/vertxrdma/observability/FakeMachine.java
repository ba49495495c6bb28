package io.vertxrdma.observability;

import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A Vert.x over a scripted library with one device; closing it checks that nothing is left. */
final class FakeMachine implements AutoCloseable {

  static final String HOST = "10.0.0.1";
  static final int PORT = 18_515;

  final FakeNativeCalls fake = new FakeNativeCalls();
  final RdmaProvider provider = FakeProvider.over(fake);
  final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  static void until(BooleanSupplier holds) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(5))
        .until(holds::getAsBoolean);
  }

  @Override
  public void close() {
    get(vertx.close());
    fake.assertClean();
    fake.close();
  }
}
