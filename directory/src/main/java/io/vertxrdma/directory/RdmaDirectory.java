package io.vertxrdma.directory;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.streams.ReadStream;
import java.util.List;

/**
 * The RDMA endpoints of a cluster, by service: register one's own, look up and watch those of
 * others.
 *
 * <p>The cluster manager of a clustered {@link Vertx} carries names and addresses, and tells who is
 * still there; connections and data are RDMA's. On a Vertx that is not clustered the directory is
 * that of the process. An entry goes when its registration is closed, when its node leaves the
 * cluster or is killed, and at the latest when its lease runs out. A node that was cut off and
 * comes back brings its entries with it.
 *
 * <p>The directory closes with the verticle it was created in, and its registrations with it.
 * Methods may be called from any thread.
 */
public interface RdmaDirectory {

  /** A directory with default options. */
  static RdmaDirectory create(Vertx vertx) {
    return create(vertx, new RdmaDirectoryOptions());
  }

  /** A directory; the options are copied. */
  static RdmaDirectory create(Vertx vertx, RdmaDirectoryOptions options) {
    return new RdmaDirectoryImpl(vertx, new RdmaDirectoryOptions(options));
  }

  /**
   * Announces an endpoint, until the registration is closed.
   *
   * @return fails with {@link EndpointTakenException} when a node that is still there has
   *     registered the same service at the same host and port
   * @throws IllegalStateException when the directory is closed
   */
  Future<EndpointRegistration> register(RdmaEndpoint endpoint);

  /**
   * The endpoints of a service now, ordered by host and port; none is an empty list.
   *
   * @throws IllegalArgumentException for a name out of range, see {@link RdmaEndpoint}
   * @throws IllegalStateException when the directory is closed
   */
  Future<List<RdmaEndpoint>> lookup(String service);

  /**
   * The endpoints of a service, now and each time they change: each item is the whole list. Who is
   * slow gets the newest and misses what was in between. Completes when the directory closes. While
   * the cluster does not answer, nothing is said, and the next look tries again. Each subscriber
   * looks for itself.
   *
   * @throws IllegalArgumentException for a name out of range, see {@link RdmaEndpoint}
   * @throws IllegalStateException when the directory is closed
   */
  Flowable<List<RdmaEndpoint>> watch(String service);

  /** {@link #watch} as a Vert.x stream; handlers run on the directory's context. */
  ReadStream<List<RdmaEndpoint>> watchStream(String service);

  /** Ends all registrations and streams. Idempotent. */
  Future<Void> close();

  /** {@link #register}, when subscribed to. */
  default Single<EndpointRegistration> rxRegister(RdmaEndpoint endpoint) {
    return Single.defer(() -> Single.fromCompletionStage(register(endpoint).toCompletionStage()));
  }

  /** {@link #lookup}, when subscribed to. */
  default Single<List<RdmaEndpoint>> rxLookup(String service) {
    return Single.defer(() -> Single.fromCompletionStage(lookup(service).toCompletionStage()));
  }
}
