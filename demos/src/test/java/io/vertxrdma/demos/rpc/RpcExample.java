package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.TimeUnit;

/** What the guide shows of the RPC. */
final class RpcExample {

  private RpcExample() {}

  // tag::interface[]
  interface Greeter {
    @RpcMethod(1)
    Future<String> greet(String name);
  }

  // end::interface[]

  static Future<RpcServer> serve(Vertx vertx, Greeter greeter) {
    // tag::server[]
    RpcServer server = RpcServer.create(vertx, RpcOptions.DEFAULT);
    RpcServices.serve(server, Greeter.class, greeter);
    server.handle(7, request -> Future.succeededFuture(request)); // or bytes, by opcode
    return server.listen(18520, "10.0.0.1");
    // end::server[]
  }

  static Future<String> call(Vertx vertx) {
    // tag::client[]
    return RpcClient.connect(vertx, 18520, "10.0.0.1", RpcOptions.DEFAULT)
        .compose(
            client ->
                client
                    .call(7, Buffer.buffer("ping"), 100, TimeUnit.MILLISECONDS)
                    .compose(pong -> RpcServices.client(client, Greeter.class).greet("ada"))
                    .eventually(client::close));
    // end::client[]
  }
}
