package io.vertxrdma.reactive.impl;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.cm.CmEventHandler;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listening id, shared by all event loops and all servers of a Vert.x instance that listen on
 * its address: deals the requests out in turn, each id moved to the event channel of the loop that
 * gets it. It lives on the loop of the first, and ends with the last.
 */
final class SharedListener {

  private static final Logger LOG = LoggerFactory.getLogger(SharedListener.class);
  private static final String KEY = "io.vertxrdma.listener";

  private final CopyOnWriteArrayList<Target> targets = new CopyOnWriteArrayList<>();
  private final CloseFuture loopUse = new CloseFuture();
  private final Future<SharedListener> listening;
  private volatile InetSocketAddress address;
  private volatile CmId id;
  private volatile DeviceContext device;
  // Confined to the loop.
  private RdmaLoop loop;
  private int turn;
  private ListenerRearm rearm;
  private Future<Void> destroying = Future.succeededFuture();

  /** Who gets requests: a part of a server, and its loop's share of the provider. */
  record Target(RdmaServerImpl server, LoopEndpoint part, RdmaLoop loop) {}

  private SharedListener(RdmaServerImpl first, RdmaProvider provider, InetSocketAddress wanted) {
    this.listening =
        RdmaLoop.acquire(first.context(), provider, loopUse)
            .map(
                acquired -> {
                  loop = acquired;
                  listen(first, wanted);
                  return this;
                });
  }

  /**
   * Listens on an address, or joins those who do. The targets may get requests from now on.
   *
   * @param wanted port 0 for a port, and thus a listener, of one's own
   * @param use leaves the listener when closed; also needed when this fails
   */
  static Future<SharedListener> join(
      RdmaServerImpl server,
      RdmaProvider provider,
      InetSocketAddress wanted,
      List<Target> targets,
      CloseFuture use) {
    ContextInternal context = server.context();
    String name =
        System.identityHashCode(provider)
            + "@"
            + Addresses.text(wanted)
            + (wanted.getPort() == 0 ? "@" + System.identityHashCode(server) : "");
    SharedListener listener =
        server
            .vertx()
            .createSharedResource(
                KEY,
                name,
                use,
                end -> {
                  SharedListener made = new SharedListener(server, provider, wanted);
                  end.add(made::close);
                  return made;
                });
    listener.targets.addAll(targets);
    use.add(
        completion -> {
          listener.targets.removeAll(targets);
          completion.succeed();
        });
    // On the server's own context, whoever made the listener.
    return context.succeededFuture().compose(nothing -> listener.listening);
  }

  private void listen(RdmaServerImpl first, InetSocketAddress wanted) {
    CmId made = loop.createId(PortSpace.TCP, this::handle);
    id = made;
    first.applyOptions(made);
    made.bind(wanted);
    // Known before the first request can come.
    address = made.localAddress();
    made.listen(first.backlog());
    address = made.localAddress();
    device = made.device();
  }

  /** The device it is bound to; null for a wildcard address. */
  DeviceContext device() {
    return device;
  }

  /** Where it listens; null before. */
  InetSocketAddress address() {
    return address;
  }

  private void handle(CmEvent event) {
    if (event.type() == CmEventType.CONNECT_REQUEST) {
      requested(event);
      return;
    }
    DeviceContext of = device;
    boolean lost =
        event.type() == CmEventType.DEVICE_REMOVAL || event.type() == CmEventType.ADDR_CHANGE;
    tell(
        server -> {
          server.listenerEvent(event);
          if (lost) {
            server.listenerLost(event, of);
          }
        });
    if (lost) {
      lost();
    }
  }

  /** Tells each server once, on its own loop. */
  private void tell(Consumer<RdmaServerImpl> news) {
    Set<RdmaServerImpl> servers = new LinkedHashSet<>();
    targets.forEach(target -> servers.add(target.server()));
    servers.forEach(server -> server.run(() -> news.accept(server)));
  }

  /** The id is of no use any more: a new one takes its place when the address has a device. */
  private void lost() {
    int delay =
        targets.stream()
            .mapToInt(target -> target.server().serverOptions().getRearmDelay())
            .filter(millis -> millis > 0)
            .min()
            .orElse(0);
    CmId gone = id;
    if (delay == 0 || gone == null) {
      return;
    }
    id = null;
    ListenerRearm again =
        new ListenerRearm(
            loop.context(), Addresses.text(address), delay, this::listenAgain, this::back);
    rearm = again;
    destroying = loop.destroy(gone).onComplete(done -> again.start());
  }

  private Future<?> listenAgain() {
    List<Target> now = List.copyOf(targets);
    if (now.isEmpty()) {
      return Future.failedFuture("nobody listens any more");
    }
    try {
      listen(now.get(0).server(), address);
      return Future.succeededFuture();
    } catch (RdmaException refused) {
      CmId made = id;
      id = null;
      destroying = made == null ? Future.succeededFuture() : loop.destroy(made);
      return destroying.transform(done -> Future.failedFuture(refused));
    }
  }

  private void back() {
    rearm = null;
    DeviceContext now = device;
    if (now != null) {
      loop.deviceEvents().watch(now);
    }
    tell(server -> server.listenerBack(now));
  }

  private void requested(CmEvent event) {
    Target[] all = targets.toArray(new Target[0]);
    if (all.length == 0) {
      refuse(event, "nobody listens any more");
      return;
    }
    Target target = all[Math.floorMod(turn++, all.length)];
    Handover handover = new Handover();
    event.id().setAttachment(handover);
    try {
      if (target.loop() != loop) {
        target.loop().adopt(event.id());
      }
      target
          .part()
          .run(() -> target.server().requested(target.part(), target.loop(), event, handover));
    } catch (RdmaException | RejectedExecutionException failure) {
      refuse(event, failure.getMessage());
    }
  }

  private void refuse(CmEvent event, String why) {
    LOG.warn("a request to {} is rejected: {}", Addresses.text(address), why);
    // Destroying the id of an unanswered request rejects it.
    loop.destroy(event.id());
  }

  private void close(Completable<Void> completion) {
    listening
        .transform(
            listened -> {
              if (rearm != null) {
                rearm.stop();
              }
              CmId closing = id;
              return closing == null ? Future.succeededFuture() : loop.destroy(closing);
            })
        .eventually(() -> destroying)
        .eventually(loopUse::close)
        .onComplete(completion);
  }

  /**
   * Keeps what happens to a request's id from the moment it is dealt out until its connection takes
   * over, on the loop that got it.
   */
  static final class Handover implements CmEventHandler {

    private final List<CmEvent> early = new ArrayList<>();

    @Override
    public void handle(CmEvent event) {
      early.add(event);
    }

    /** The connection, which has the id now, gets what has happened to it. On its loop. */
    void to(ConnectionImpl connection) {
      early.forEach(connection::handle);
    }
  }
}
