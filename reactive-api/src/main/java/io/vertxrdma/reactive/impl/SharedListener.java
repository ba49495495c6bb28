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
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
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
  // Confined to the loop.
  private RdmaLoop loop;
  private int turn;

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
    List<RdmaServerImpl> told = new ArrayList<>();
    for (Target target : targets) {
      if (!told.contains(target.server())) {
        told.add(target.server());
        target.server().run(() -> target.server().listenerEvent(event));
      }
    }
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
              CmId closing = id;
              return closing == null ? Future.succeededFuture() : loop.destroy(closing);
            })
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

    /** The connection gets the id and what has happened to it meanwhile. On its loop. */
    void to(ConnectionImpl connection, CmId id) {
      connection.setId(id);
      connection.captureAddresses();
      early.forEach(connection::handle);
    }
  }
}
