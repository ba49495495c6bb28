package io.vertxrdma.systemtests.soft.tck;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReconnectPolicy;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.systemtests.soft.tck.CountedPublisher.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;

/** The library's streams over live connections of the soft provider, each with an end. */
final class LiveStreams implements AutoCloseable {

  private static final int UDP_PORT = 47_921;
  private static final String HOST = "127.0.0.1";
  private static final int SECONDS = 20;

  /** So many stand for a stream without end: no rule takes as many. */
  private static final int ENDLESS = 60;

  /** After so many milliseconds without a subscriber more, all that will be are there. */
  private static final int QUIET_MILLIS = 20;

  private static final int MESSAGE_BYTES = 16;

  private static final int PORT_ERR = 10;

  private static final Future<Buffer> NEVER = Promise.<Buffer>promise().future();

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
  private final RdmaProvider provider =
      new SoftProvider(new SoftProviderOptions().setUdpPort(UDP_PORT));
  private final List<Supplier<Future<Void>>> used = new CopyOnWriteArrayList<>();
  private final RdmaServer acceptor = newServer();
  private final RdmaClient connector = newClient();
  private final int port;

  /** Both ends of a connection. */
  record Pair(RdmaConnection server, RdmaConnection client) {}

  LiveStreams() {
    acceptor.connectRequestHandler(ConnectRequest::accept);
    port = await(acceptor.listen(0, HOST)).actualPort();
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private RdmaServer newServer() {
    return RdmaServer.create(
        vertx,
        new RdmaServerOptions().setCloseTimeout(200).setReceiveBufferSize(MESSAGE_BYTES),
        provider);
  }

  private RdmaClient newClient() {
    return RdmaClient.create(vertx, new RdmaClientOptions().setCloseTimeout(200), provider);
  }

  private <T> T used(T made, Supplier<Future<Void>> close) {
    used.add(close);
    return made;
  }

  private RdmaServer server() {
    RdmaServer made = newServer();
    return used(made, made::close);
  }

  private RdmaClient client() {
    RdmaClient made = newClient();
    return used(made, made::close);
  }

  private Pair pair() {
    RdmaServer server = server();
    Promise<RdmaConnection> accepted = Promise.promise();
    server.connectRequestHandler(request -> request.accept().onComplete(accepted));
    int own = await(server.listen(0, HOST)).actualPort();
    RdmaConnection client = await(connector.connect(own, HOST));
    return used(new Pair(await(accepted.future()), client), client::close);
  }

  /** So many connects at once, whatever becomes of them. */
  private static void connect(RdmaClient client, int to, long count) {
    for (long i = Math.min(count, ENDLESS); i > 0; i--) {
      client.connect(to, HOST);
    }
  }

  /** Who takes what a stream has, so that the next subscriber is refused. */
  private static <T> Flowable<T> taken(Flowable<T> flowable) {
    flowable.subscribe(item -> {}, failure -> {});
    return flowable;
  }

  Verification.Source immediates(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        Pair pair = pair();
        for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
          pair.client().writeImmediate(i);
        }
        return new CountedPublisher<>(
            pair.server().immediates(), way, elements, () -> {}, pair.client()::close);
      }

      @Override
      Publisher<?> ofFailed() {
        return taken(pair().server().immediates());
      }
    };
  }

  Verification.Source messages(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        Pair pair = pair();
        RegisteredBuffer bytes = await(pair.client().memory().allocate(MESSAGE_BYTES));
        used.add(bytes::close);
        for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
          pair.client().send(bytes.all());
        }
        return new CountedPublisher<>(
            pair.server().messages(), way, elements, () -> {}, pair.client()::close);
      }

      @Override
      Publisher<?> ofFailed() {
        return taken(pair().server().messages());
      }
    };
  }

  private RdmaDatagramSocket socket() {
    RdmaDatagramSocket made =
        RdmaDatagramSocket.create(vertx, new RdmaDatagramOptions().setCloseTimeout(200), provider);
    return used(made, made::close);
  }

  Verification.Source datagrams(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaDatagramSocket service = socket();
        await(service.listen(0, HOST));
        RdmaDatagramSocket client = socket();
        DatagramPeer peer = await(client.lookup(service.actualPort(), HOST));
        for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
          client.sendImmediate(peer, i);
        }
        return new CountedPublisher<>(service.datagrams(), way, elements, () -> {}, service::close);
      }

      @Override
      Publisher<?> ofFailed() {
        return taken(socket().datagrams());
      }
    };
  }

  Verification.Source ringMessages(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        Pair pair = pair();
        InboxRing ring = await(InboxRing.allocate(pair.server().memory(), ENDLESS, 8));
        RingChannel writer = RingChannel.over(pair.client(), null, ring.descriptor());
        for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
          writer.write(Buffer.buffer().appendLong(i));
        }
        return new CountedPublisher<>(
            RingChannel.over(pair.server(), ring, null).messages(),
            way,
            elements,
            () -> {},
            pair.client()::close);
      }

      @Override
      Publisher<?> ofFailed() {
        RdmaConnection server = pair().server();
        InboxRing ring = await(InboxRing.allocate(server.memory(), 1, 8));
        return taken(RingChannel.over(server, ring, null).messages());
      }
    };
  }

  Verification.Source connectRequests(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaServer server = server();
        Flowable<ConnectRequest> requests = server.connectRequests();
        connect(client(), await(server.listen(0, HOST)).actualPort(), elements);
        return new CountedPublisher<>(requests, way, elements, () -> {}, server::close);
      }

      @Override
      Publisher<?> ofFailed() {
        return taken(server().connectRequests());
      }
    };
  }

  Verification.Source serverConnections(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaServer server = server();
        Flowable<RdmaConnection> connections = server.connections();
        server.connectRequestHandler(ConnectRequest::accept);
        connect(client(), await(server.listen(0, HOST)).actualPort(), elements);
        return new CountedPublisher<>(connections, way, elements, () -> {}, server::close);
      }

      @Override
      Publisher<?> ofFailed() {
        return taken(server().connections());
      }
    };
  }

  Verification.Source reconnecting(Way way) {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaClient client = client();
        RdmaServer server = server();
        server.connectRequestHandler(request -> request.accept().onSuccess(RdmaConnection::close));
        int own = await(server.listen(0, HOST)).actualPort();
        return new CountedPublisher<>(
            connections(client, own), way, elements, () -> {}, client::close);
      }

      @Override
      Publisher<?> ofFailed() {
        RdmaClient client = client();
        await(client.close());
        return new CountedPublisher<>(
            connections(client, port), way, Long.MAX_VALUE, () -> {}, () -> {});
      }

      private Flowable<RdmaConnection> connections(RdmaClient client, int to) {
        return client.connections(
            to, HOST, null, ReconnectPolicy.exponential(1, 1, TimeUnit.MILLISECONDS));
      }
    };
  }

  /** A request is one event. */
  Verification.Source serverEvents() {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaServer server = server();
        server.connectRequestHandler(request -> {});
        int own = await(server.listen(0, HOST)).actualPort();
        RdmaClient client = client();
        return hot(server.events(), elements, () -> connect(client, own, elements), server::close);
      }
    };
  }

  /** A connect whose private data never comes stops after one event: address resolved. */
  Verification.Source clientEvents() {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        RdmaClient client = client();
        Runnable connects =
            () -> {
              for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
                client.connect(port, HOST, memory -> NEVER);
              }
            };
        return hot(client.events(), elements, connects, client::close);
      }
    };
  }

  /** On a fake device, whose port goes down as often as one likes. */
  Verification.Source deviceEvents() {
    return new Stream() {
      @Override
      Publisher<?> of(long elements) {
        FakeNativeCalls fake = new FakeNativeCalls();
        RdmaServer server =
            RdmaServer.create(vertx, new RdmaServerOptions(), FakeProvider.over(fake));
        used(server, server::close);
        server.connectRequestHandler(ConnectRequest::accept);
        await(server.listen(0, "10.0.0.1"));
        Runnable events =
            () -> {
              for (long i = 0; i < Math.min(elements, ENDLESS); i++) {
                fake.asyncEvent("fake0", PORT_ERR, 1);
              }
            };
        return hot(server.deviceEvents(), elements, events, server::close);
      }
    };
  }

  /**
   * A stream that has what comes after subscribing: the events are provoked when all subscribers
   * are there, and the end when all events were published.
   */
  private <T> Publisher<T> hot(Flowable<T> events, long count, Runnable provoke, Runnable end) {
    AtomicLong published = new AtomicLong();
    events.subscribe(
        event -> {
          if (published.incrementAndGet() == count) {
            end.run();
          }
        });
    AtomicLong subscribed = new AtomicLong();
    Runnable later =
        () -> {
          long number = subscribed.incrementAndGet();
          vertx.setTimer(
              QUIET_MILLIS,
              fired -> {
                if (number == subscribed.get()) {
                  provoke(provoke);
                }
              });
        };
    return new CountedPublisher<>(
        events, Way.AS_APPLICATIONS_DO, count, later, count == 0 ? end : () -> {});
  }

  private static void provoke(Runnable events) {
    try {
      events.run();
    } catch (IllegalStateException closed) {
      // The rule was done with it before the events came.
    }
  }

  /** Leaves the types behind: the TCK does not care what a stream is of. */
  private abstract class Stream extends Verification.Source {

    abstract Publisher<?> of(long elements);

    Publisher<?> ofFailed() {
      return null;
    }

    @Override
    @SuppressWarnings("unchecked")
    <T> Publisher<T> publisher(long elements) {
      return (Publisher<T>) of(elements);
    }

    @Override
    @SuppressWarnings("unchecked")
    <T> Publisher<T> failed() {
      return (Publisher<T>) ofFailed();
    }

    @Override
    public void close() {
      List<Supplier<Future<Void>>> all = new ArrayList<>(used);
      used.removeAll(all);
      await(Future.join(all.stream().map(Supplier::get).toList()));
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
