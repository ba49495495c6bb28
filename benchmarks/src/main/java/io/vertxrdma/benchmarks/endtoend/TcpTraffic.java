package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;

/** What people use today: 8 bytes over a Vert.x NetSocket. Ping-pong only. */
final class TcpTraffic implements Traffic {

  private static final int BYTES = 8;

  private final NetClient client;
  private final String address;
  private final int port;

  TcpTraffic(Vertx vertx, String address, int port) {
    this.client = vertx.createNetClient();
    this.address = address;
    this.port = port;
  }

  /** A far side that answers each message; port 0 chooses one. */
  static Future<NetServer> farSide(Vertx vertx, String address) {
    return vertx
        .createNetServer(new NetServerOptions().setTcpNoDelay(true))
        .connectHandler(socket -> socket.handler(socket::write))
        .listen(0, address);
  }

  @Override
  public Future<long[]> pingPong(int warmUp, int rounds) {
    return client
        .connect(port, address)
        .compose(
            socket -> {
              RoundTrips trips =
                  new RoundTrips(
                      warmUp, rounds, () -> socket.write(Buffer.buffer(new byte[BYTES])));
              socket.handler(answer -> trips.answered());
              return trips.start();
            });
  }

  @Override
  public Future<Void> startStream() {
    throw new UnsupportedOperationException("a stream of bytes has no messages to count");
  }

  @Override
  public long messages() {
    return 0;
  }

  @Override
  public long packets() {
    return 0;
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }
}
