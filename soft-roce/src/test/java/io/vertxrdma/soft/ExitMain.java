package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import java.io.IOException;

/** A client in a process of its own: connects, says so, and ends in one of several ways. */
final class ExitMain {

  private ExitMain() {}

  /** Arguments: UDP port, the server's port, how to end. */
  public static void main(String[] arguments) throws IOException {
    SoftProvider provider =
        new SoftProvider(
            new SoftProviderOptions()
                .setUdpPort(Integer.parseInt(arguments[0]))
                .setExitGraceMillis(arguments[2].equals("in silence") ? -1 : 50));
    EventLoop loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next();
    Spi client = new Spi(provider, arguments[2].equals("from the event loop") ? loop : null);
    CmId id = client.resolved(PortSpace.TCP, Spi.at("127.0.0.1", Integer.parseInt(arguments[1])));
    client.verbs(id);
    id.connect(Spi.PARAMETERS);
    client.next(CmEventType.ESTABLISHED);
    System.out.println("connected");
    switch (arguments[2]) {
      case "from the event loop" -> loop.execute(() -> System.exit(0));
      case "by its last thread" -> loop.parent().shutdownGracefully();
      case "when it closed everything in a hook" ->
          Runtime.getRuntime().addShutdownHook(new Thread(client::close));
      default -> {
        // Waits for the signal.
      }
    }
    if (arguments[2].equals("in silence")) {
      // Until the test has seen the connection.
      System.in.read();
    }
    switch (arguments[2]) {
      case "from main", "when it closed everything in a hook", "in silence" -> System.exit(0);
      case "by a signal", "by a kill" -> {
        while (System.in.read() >= 0) {
          // Until the signal comes.
        }
      }
      default -> {
        // Ends elsewhere.
      }
    }
  }
}
