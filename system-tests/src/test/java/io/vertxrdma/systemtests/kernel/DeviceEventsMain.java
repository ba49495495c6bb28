package io.vertxrdma.systemtests.kernel;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.Scanner;

/**
 * A server and a client on one address that print what happens to their device and their
 * connection; in a process of its own, since the kernel removes a device only once nobody has it
 * open.
 */
final class DeviceEventsMain {

  private DeviceEventsMain() {}

  /** Arguments: host to listen on, address to connect to. Each line read connects once more. */
  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    RdmaProvider provider = RdmaProviders.named("native");
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    server.connectRequestHandler(ConnectRequest::accept);
    server.deviceEvents().subscribe(event -> say("event " + event));
    RdmaClient client =
        RdmaClient.create(vertx, new RdmaClientOptions().setConnectTimeout(60_000), provider);
    server
        .listen(18_590, arguments[0])
        .onSuccess(listening -> connect(client, arguments[1]))
        .onFailure(failure -> say("failed to listen: " + failure));
    Scanner orders = new Scanner(System.in);
    while (orders.hasNextLine()) {
      orders.nextLine();
      connect(client, arguments[1]);
    }
    System.exit(0);
  }

  private static void connect(RdmaClient client, String address) {
    client
        .connect(18_590, address)
        .onSuccess(DeviceEventsMain::connected)
        .onFailure(failure -> say("failed to connect: " + failure));
  }

  private static void connected(RdmaConnection connection) {
    connection.exceptionHandler(failure -> say("broken " + failure));
    connection.closeHandler(nothing -> say("closed"));
    connection
        .writeImmediate(1)
        .onSuccess(done -> say("connected on " + connection.device().name()))
        .onFailure(failure -> say("failed to write: " + failure));
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
