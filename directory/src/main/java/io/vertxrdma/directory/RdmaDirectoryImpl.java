package io.vertxrdma.directory;

import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory in a map of the cluster; changes are announced over the event bus. */
final class RdmaDirectoryImpl implements RdmaDirectory, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDirectory.class);
  private static final Comparator<RdmaEndpoint> ORDER =
      Comparator.comparing(RdmaEndpoint::host).thenComparingInt(RdmaEndpoint::port);

  private final Vertx vertx;
  private final RdmaDirectoryOptions options;
  private final ContextInternal creator;
  private final ContextInternal context;
  private final ClusterManager cluster;
  private final Future<AsyncMap<String, String>> map;
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private Future<Void> closing;

  RdmaDirectoryImpl(Vertx vertx, RdmaDirectoryOptions options) {
    VertxInternal internal = (VertxInternal) Objects.requireNonNull(vertx, "vertx");
    this.vertx = vertx;
    this.options = options;
    this.creator = internal.getOrCreateContext();
    // Its own, so that timers and handlers are on an event loop wherever it was created.
    this.context = internal.createEventLoopContext();
    this.cluster = internal.clusterManager();
    this.map = vertx.sharedData().getAsyncMap(options.getMapName());
    creator.addCloseHook(this);
  }

  /** This node's id; empty when Vert.x is not clustered. */
  private String node() {
    return cluster == null ? "" : cluster.getNodeId();
  }

  private boolean isThere(DirectoryEntry entry) {
    return cluster == null || cluster.getNodes().contains(entry.node());
  }

  String announcements() {
    return options.getMapName() + ".changed";
  }

  RdmaDirectoryOptions options() {
    return options;
  }

  ContextInternal context() {
    return context;
  }

  private synchronized void requireOpen() {
    if (closing != null) {
      throw new IllegalStateException("the directory is closed");
    }
  }

  @Override
  public Future<EndpointRegistration> register(RdmaEndpoint endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    requireOpen();
    DirectoryEntry entry = new DirectoryEntry(endpoint, node());
    Promise<EndpointRegistration> done = creator.promise();
    map.compose(entries -> claim(entries, entry))
        .map(claimed -> begin(entry))
        .onComplete(done::complete, done::fail);
    return done.future();
  }

  private EndpointRegistration begin(DirectoryEntry entry) {
    Registration registration = new Registration(entry);
    registrations.add(registration);
    if (isClosing()) {
      registration.close();
      throw new IllegalStateException("the directory is closed");
    }
    registration.start();
    vertx.eventBus().publish(announcements(), entry.endpoint().service());
    LOG.info("registered {}", entry.endpoint());
    return registration;
  }

  private synchronized boolean isClosing() {
    return closing != null;
  }

  private Future<Void> claim(AsyncMap<String, String> entries, DirectoryEntry entry) {
    String mine = entry.encode();
    return entries
        .putIfAbsent(entry.key(), mine, options.getLease())
        .compose(
            taken -> {
              DirectoryEntry other = taken == null ? null : DirectoryEntry.decode(taken);
              if (taken == null) {
                return Future.succeededFuture();
              }
              if (other == null || isThere(other)) {
                return Future.failedFuture(
                    new EndpointTakenException(
                        entry.endpoint(), other == null ? "of another version" : other.node()));
              }
              // Left by a node that is gone: whoever comes first takes it over.
              return entries
                  .removeIfPresent(entry.key(), taken)
                  .compose(removed -> claim(entries, entry));
            });
  }

  @Override
  public Future<List<RdmaEndpoint>> lookup(String service) {
    RdmaEndpoint.checkService(service);
    requireOpen();
    Promise<List<RdmaEndpoint>> done = creator.promise();
    look(service).onComplete(done::complete, done::fail);
    return done.future();
  }

  /** The endpoints of those who are there; entries of the others are removed on the way. */
  Future<List<RdmaEndpoint>> look(String service) {
    return map.compose(
        entries ->
            entries
                .entries()
                .map(
                    all -> {
                      List<RdmaEndpoint> found = new ArrayList<>();
                      all.forEach(
                          (key, value) -> {
                            DirectoryEntry entry = DirectoryEntry.decode(value);
                            if (entry == null) {
                              // Of another version: not ours to judge.
                              return;
                            }
                            if (!isThere(entry)) {
                              entries.removeIfPresent(key, value);
                            } else if (entry.endpoint().service().equals(service)) {
                              found.add(entry.endpoint());
                            }
                          });
                      found.sort(ORDER);
                      return List.copyOf(found);
                    }));
  }

  @Override
  public Flowable<List<RdmaEndpoint>> watch(String service) {
    RdmaEndpoint.checkService(service);
    requireOpen();
    return Flowable.create(
        emitter -> {
          Watch watch = new Watch(this, service, emitter);
          watches.add(watch);
          emitter.setCancellable(
              () -> {
                watches.remove(watch);
                watch.stop();
              });
          if (isClosing()) {
            emitter.onComplete();
          } else {
            watch.start();
          }
        },
        BackpressureStrategy.LATEST);
  }

  @Override
  public ReadStream<List<RdmaEndpoint>> watchStream(String service) {
    return new WatchStream(context, watch(service));
  }

  @Override
  public Future<Void> close() {
    Promise<Void> closed;
    synchronized (this) {
      if (closing != null) {
        return closing;
      }
      closed = context.promise();
      closing = closed.future();
    }
    creator.removeCloseHook(this);
    watches.forEach(Watch::complete);
    List<Future<Void>> ends = new ArrayList<>();
    registrations.forEach(each -> ends.add(each.close()));
    Future.join(ends).<Void>mapEmpty().onComplete(closed::complete, closed::fail);
    return closing;
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(done -> completion.complete(null, done.cause()));
  }

  /** An entry of this process, refreshed until it is closed. */
  private final class Registration implements EndpointRegistration {

    private final DirectoryEntry entry;
    // Confined to the context.
    private long timer = -1;
    private boolean over;
    private Future<Void> refresh = Future.succeededFuture();
    private final Promise<Void> closed = context.promise();
    private boolean closeBegun;

    Registration(DirectoryEntry entry) {
      this.entry = entry;
    }

    @Override
    public RdmaEndpoint endpoint() {
      return entry.endpoint();
    }

    void start() {
      context.runOnContext(
          nothing -> {
            if (!over) {
              timer = vertx.setPeriodic(options.getLease() / 3, fired -> refresh());
            }
          });
    }

    private void refresh() {
      if (over || !refresh.isComplete()) {
        return;
      }
      AsyncMap<String, String> entries = map.result();
      String mine = entry.encode();
      refresh =
          entries
              .get(entry.key())
              .compose(
                  there ->
                      mine.equals(there)
                          ? entries.put(entry.key(), mine, options.getLease())
                          : reclaim(entries, mine))
              .onFailure(
                  failure ->
                      LOG.warn(
                          "{} could not be refreshed, tried again later", endpoint(), failure));
    }

    /** A cluster that was split may have thrown the entry out, and let another take its place. */
    private Future<Void> reclaim(AsyncMap<String, String> entries, String mine) {
      return entries
          .putIfAbsent(entry.key(), mine, options.getLease())
          .map(
              other -> {
                if (other != null && !other.equals(mine)) {
                  LOG.error("{} has been taken by another node; no longer registered", endpoint());
                  context.runOnContext(nothing -> end());
                }
                return null;
              });
    }

    @Override
    public Future<Void> close() {
      context.runOnContext(nothing -> end());
      return closed.future();
    }

    private void end() {
      if (closeBegun) {
        return;
      }
      closeBegun = true;
      over = true;
      if (timer != -1) {
        vertx.cancelTimer(timer);
      }
      registrations.remove(this);
      refresh
          .transform(settled -> map.result().removeIfPresent(entry.key(), entry.encode()))
          .onComplete(
              removed -> {
                vertx.eventBus().publish(announcements(), endpoint().service());
                LOG.info("{} is no longer registered", endpoint());
              })
          .<Void>mapEmpty()
          .onComplete(closed::complete, closed::fail);
    }
  }
}
