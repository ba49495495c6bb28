package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/** Waits for requests to connect, and hands them out one by one. On the event loop. */
public final class VerbsListener {

  private static final int BACKLOG = 8;

  private final RdmaLoop loop;
  private final CmId id;
  private final ArrayDeque<VerbsRequest> requests = new ArrayDeque<>();
  private final ArrayDeque<Promise<VerbsRequest>> takers = new ArrayDeque<>();

  private VerbsListener(RdmaLoop loop) {
    this.loop = loop;
    this.id = loop.createId(PortSpace.TCP, this::event);
  }

  /** Binds and listens. */
  public static Future<VerbsListener> listen(RdmaLoop loop, InetSocketAddress local) {
    VerbsListener listener = new VerbsListener(loop);
    try {
      listener.id.bind(local);
      listener.id.listen(BACKLOG);
      return Future.succeededFuture(listener);
    } catch (RuntimeException refused) {
      return loop.destroy(listener.id).transform(gone -> Future.failedFuture(refused));
    }
  }

  private void event(CmEvent event) {
    if (event.type() == CmEventType.CONNECT_REQUEST) {
      VerbsRequest request = new VerbsRequest(loop, event);
      if (takers.isEmpty()) {
        requests.add(request);
      } else {
        takers.poll().complete(request);
      }
    }
  }

  /** The next request. */
  public Future<VerbsRequest> next() {
    if (!requests.isEmpty()) {
      return Future.succeededFuture(requests.poll());
    }
    Promise<VerbsRequest> taker = Promise.promise();
    takers.add(taker);
    return taker.future();
  }

  /** Stops listening; requests nobody took are rejected. */
  public Future<Void> close() {
    takers.forEach(taker -> taker.fail("the listener was closed"));
    takers.clear();
    requests.forEach(request -> request.reject(null));
    requests.clear();
    return loop.destroy(id);
  }
}
