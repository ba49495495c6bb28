package io.vertxrdma.systemtests.interop;

import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.core.UdParam;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A program that speaks with {@code udaddy} of rdma-core, in either role: the client sends so many
 * datagrams with its queue pair number as immediate, the server answers with as many of its own.
 *
 * <pre>
 *   UdaddyPeer server|client PROVIDER ADDRESS COUNT SIZE
 * </pre>
 */
public final class UdaddyPeer {

  /** The port udaddy has built in. */
  private static final int PORT = 7174;

  private static final int SECONDS = 120;
  private static final int NOBODY_LISTENS = 1;

  // Epoll's: on another one, a JVM older than 19 can't send what the kernel takes over IPv4.
  private final EventLoop eventLoop =
      ((VertxInternal) Vertx.vertx(new VertxOptions().setPreferNativeTransport(true)))
          .createEventLoopContext()
          .nettyEventLoop();
  private final RdmaProvider provider;
  private final InetSocketAddress address;
  private final int count;
  private final int size;

  private UdaddyPeer(RdmaProvider provider, InetSocketAddress address, int count, int size) {
    this.provider = provider;
    this.address = address;
    this.count = count;
    this.size = size;
  }

  /** Runs one side; exit status 1 and a stack trace when anything is not as it should be. */
  public static void main(String[] arguments) throws Exception {
    UdaddyPeer peer =
        new UdaddyPeer(
            RdmaProviders.named(arguments[1]),
            new InetSocketAddress(arguments[2], PORT),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]));
    try {
      if (arguments[0].equals("server")) {
        peer.serve();
      } else {
        peer.ask();
      }
      System.exit(0);
    } catch (Exception | AssertionError failure) {
      failure.printStackTrace();
      System.exit(1);
    }
  }

  /** What is polled, once it is there. */
  static <T> T await(String what, Supplier<T> poll) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      T found = poll.get();
      if (found != null) {
        return found;
      }
      require(System.nanoTime() < deadline, "no " + what + " in " + SECONDS + " s");
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static CmEvent next(CmEventChannel channel, CmEventType type) {
    CmEvent event = await(type.nativeName(), channel::poll);
    require(event.type() == type, "expected " + type.nativeName() + ", got " + event);
    return event;
  }

  private void serve() {
    try (CmEventChannel channel = provider.createEventChannel(eventLoop);
        CmId listener = channel.createId(PortSpace.UDP)) {
      listener.bind(address);
      listener.listen(1);
      System.out.println("listening on " + listener.localAddress());
      try (CmId id = next(channel, CmEventType.CONNECT_REQUEST).id();
          UdaddyQueue queue = new UdaddyQueue(id, count, size)) {
        queue.postReceives();
        id.accept(ConnParam.ZERO);
        int number = queue.receive();
        try (AddressHandle back = queue.wayBack()) {
          queue.send(back, number, UdParam.DEFAULT_QUEUE_KEY);
        }
        System.out.println("answered " + count + " datagrams of " + size + " bytes");
      }
    }
  }

  private void ask() {
    try (CmEventChannel channel = provider.createEventChannel(eventLoop)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (!exchanged(channel)) {
        require(System.nanoTime() < deadline, "nobody listens on " + address);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  /** One attempt; false when nobody listens yet, which udaddy does not tell in time. */
  private boolean exchanged(CmEventChannel channel) {
    try (CmId id = channel.createId(PortSpace.UDP)) {
      id.resolveAddress(null, address, 2000);
      next(channel, CmEventType.ADDR_RESOLVED);
      id.resolveRoute(2000);
      next(channel, CmEventType.ROUTE_RESOLVED);
      try (UdaddyQueue queue = new UdaddyQueue(id, count, size)) {
        queue.postReceives();
        id.connect(ConnParam.ZERO);
        CmEvent answer = await("answer", channel::poll);
        if (answer.type() == CmEventType.UNREACHABLE && answer.status() == NOBODY_LISTENS) {
          return false;
        }
        require(answer.type() == CmEventType.ESTABLISHED, "expected ESTABLISHED, got " + answer);
        UdParam peer = answer.udParam();
        try (AddressHandle handle = queue.handle(peer.address())) {
          queue.send(handle, peer.queuePairNumber(), peer.queueKey());
          int number = queue.receive();
          require(number == peer.queuePairNumber(), "the immediates are " + number);
        }
        queue.requireEchoes();
        System.out.println("exchanged " + count + " datagrams of " + size + " bytes");
        return true;
      }
    }
  }
}
