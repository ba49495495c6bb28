package io.vertxrdma.demos.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.reactive.RdmaClientOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interfaces whose methods are calls, over the fake native layer. */
@Timeout(60)
class RpcServicesTest {

  /** Every kind of value. */
  interface Values {
    @RpcMethod(10)
    Future<JsonArray> all(
        String text,
        int small,
        Long large,
        double part,
        boolean truth,
        JsonObject object,
        Buffer b);

    @RpcMethod(11)
    Future<Void> nothing();

    @RpcMethod(12)
    Future<Long> large(long number);

    @RpcMethod(13)
    Future<Buffer> bytes(Buffer bytes);

    default Future<Long> twice(long number) {
      return large(2 * number);
    }
  }

  private static final class ValuesHere implements Values {
    @Override
    public Future<JsonArray> all(
        String text, int small, Long large, double part, boolean truth, JsonObject o, Buffer b) {
      return Future.succeededFuture(JsonArray.of(text, small, large, part, truth, o, b.toString()));
    }

    @Override
    public Future<Void> nothing() {
      return Future.succeededFuture();
    }

    @Override
    public Future<Long> large(long number) {
      return Future.succeededFuture(number);
    }

    @Override
    public Future<Buffer> bytes(Buffer bytes) {
      return Future.succeededFuture(bytes);
    }
  }

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final Vertx vertx = Vertx.vertx();
  private RpcServer server;
  private RpcClient client;

  @BeforeEach
  void connect() {
    server = RpcServer.create(vertx, FakeProvider.over(fake), RpcOptions.DEFAULT);
    RpcServices.serve(server, KeyValue.class, new KeyValueInMemory(vertx));
    RpcServices.serve(server, Values.class, new ValuesHere());
    server.listen(18520, "10.0.0.1").await();
    client =
        RpcClient.connect(
                vertx,
                FakeProvider.over(fake),
                new RdmaClientOptions(),
                18520,
                "10.0.0.1",
                RpcOptions.DEFAULT)
            .await();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }

  @Test
  void methodsAreCalls() {
    KeyValue service = RpcServices.client(client, KeyValue.class);

    service.put("colour", "grün").await();

    assertThat(service.get("colour").await()).isEqualTo("grün");
    assertThat(service.count("to be, or not to be").await())
        .isEqualTo(new JsonObject().put("to", 2).put("be", 2).put("or", 1).put("not", 1));
    assertThat(catchThrowable(() -> service.get("shape").await()))
        .isInstanceOfSatisfying(
            RpcException.class, error -> assertThat(error.code()).isEqualTo(KeyValue.NO_SUCH_KEY))
        .hasMessage("there is no key shape");
  }

  @Test
  void everyKindOfValueArrives() {
    Values values = RpcServices.client(client, Values.class);

    assertThat(
            values
                .all("a", -1, Long.MAX_VALUE, 0.5, true, JsonObject.of("k", 1), Buffer.buffer("b"))
                .await())
        .isEqualTo(JsonArray.of("a", -1, Long.MAX_VALUE, 0.5, true, JsonObject.of("k", 1), "b"));
    assertThat(values.nothing().await()).isNull();
    assertThat(values.large(Long.MIN_VALUE).await()).isEqualTo(Long.MIN_VALUE);
    assertThat(values.bytes(null).await()).isNull();
    assertThat(values.bytes(Buffer.buffer(new byte[] {0, -1})).await().getBytes())
        .containsExactly(0, -1);
    assertThat(values.twice(21).await()).isEqualTo(42);
    assertThat(values).hasToString("calls of Values").isEqualTo(values);
  }

  @Test
  void aDeadlineHoldsForEveryMethod() {
    KeyValue service = RpcServices.client(client, KeyValue.class, 30, TimeUnit.MILLISECONDS);

    assertThat(catchThrowable(() -> service.sleep(50_000).await()))
        .isInstanceOf(RpcDeadlineException.class);
  }

  @Test
  void argumentsThatDoNotFitASlotFailTheCallOnly() {
    KeyValue service = RpcServices.client(client, KeyValue.class);

    assertThat(catchThrowable(() -> service.put("k", "v".repeat(5_000)).await()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a request has at most 4092 bytes");
    service.put("k", "v").await();
  }

  @Test
  void argumentsThatAreNoneAreAnError() {
    for (String request : new String[] {"", "{}", "[]", "[1,2,3]", "[\"x\"]", "[null]", "\0"}) {
      assertThat(catchThrowable(() -> client.call(12, Buffer.buffer(request)).await()))
          .as(request)
          .isInstanceOf(RpcException.class)
          .hasMessageStartingWith("these are not the arguments of large: ");
    }
    assertThat(RpcServices.client(client, Values.class).large(3).await()).isEqualTo(3);
  }

  interface NoOpcode {
    Future<Void> call();
  }

  interface SameOpcode {
    @RpcMethod(1)
    Future<Void> one();

    @RpcMethod(1)
    Future<Void> other();
  }

  interface OpcodeOutOfRange {
    @RpcMethod(256)
    Future<Void> call();
  }

  interface NoFuture {
    @RpcMethod(1)
    String call();
  }

  interface NoValue {
    @RpcMethod(1)
    Future<Void> call(Thread thread);
  }

  interface NoResult {
    @RpcMethod(1)
    Future<Thread> call();
  }

  @Test
  void anInterfaceThatIsNoServiceIsRefusedNamingTheMethod() {
    assertRefused(NoOpcode.class, "NoOpcode.call: has no @RpcMethod");
    assertRefused(SameOpcode.class, ": has opcode 1, as another one has");
    assertRefused(OpcodeOutOfRange.class, "OpcodeOutOfRange.call: an opcode is 1..255, was 256");
    assertRefused(NoFuture.class, "NoFuture.call: must return a Future of a JSON value or Void");
    assertRefused(NoValue.class, "NoValue.call: Thread is no JSON value");
    assertRefused(NoResult.class, "NoResult.call: must return a Future of a JSON value or Void");
    assertRefused(String.class, "java.lang.String is no interface");
  }

  private void assertRefused(Class<?> service, String message) {
    assertThatThrownBy(() -> RpcServices.client(client, service))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
