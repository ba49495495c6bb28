package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import java.net.InetSocketAddress;

/** One attempt to connect. On the event loop. */
public final class VerbsConnector {

  private final RdmaLoop loop;
  private final InetSocketAddress peer;
  private final VerbsOptions options;
  private final ConnParam parameters;
  private final int timeoutMillis;
  private final Promise<VerbsConnection> outcome = Promise.promise();
  private CmId id;
  private Resources resources;
  private VerbsConnection connection;

  private VerbsConnector(
      RdmaLoop loop,
      InetSocketAddress peer,
      VerbsOptions options,
      ConnParam parameters,
      int timeoutMillis) {
    this.loop = loop;
    this.peer = peer;
    this.options = options;
    this.parameters = parameters;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Connects.
   *
   * @param timeoutMillis for each step, 1 or more
   */
  public static Future<VerbsConnection> connect(
      RdmaLoop loop,
      InetSocketAddress peer,
      VerbsOptions options,
      ConnParam parameters,
      int timeoutMillis) {
    return new VerbsConnector(loop, peer, options, parameters, timeoutMillis).start();
  }

  private Future<VerbsConnection> start() {
    id = loop.createId(PortSpace.TCP, this::event);
    long timer =
        loop.context()
            .owner()
            .setTimer(
                3L * timeoutMillis,
                fired ->
                    outcome.tryFail(
                        CmFailures.timeout(
                            ConnectionState.CONNECTING,
                            Role.ACTIVE,
                            3L * timeoutMillis,
                            peer.toString())));
    guarded(() -> id.resolveAddress(null, peer, timeoutMillis));
    return outcome
        .future()
        .onComplete(done -> loop.context().owner().cancelTimer(timer))
        .recover(failure -> discard().transform(gone -> Future.failedFuture(failure)));
  }

  private Future<Void> discard() {
    if (resources == null) {
      return loop.destroy(id);
    }
    return loop.<Void>blocking(
            () -> {
              resources.destroy(id);
              return null;
            })
        .onComplete(gone -> resources.share().release());
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RdmaException refused) {
      outcome.tryFail(CmFailures.ofCall(refused, peer.toString(), null));
    } catch (RuntimeException failure) {
      outcome.tryFail(failure);
    }
  }

  private void event(CmEvent event) {
    switch (event.type()) {
      case ADDR_RESOLVED -> guarded(() -> id.resolveRoute(timeoutMillis));
      case ROUTE_RESOLVED ->
          loop.device(id.device())
              .compose(device -> Resources.make(device, id, options))
              .onComplete(
                  made -> {
                    resources = made.result();
                    if (made.failed()) {
                      outcome.tryFail(made.cause());
                    } else {
                      guarded(this::request);
                    }
                  });
      case ESTABLISHED -> {
        connection.established(event.privateData());
        if (!outcome.tryComplete(connection)) {
          id.disconnect();
        }
      }
      case TIMEWAIT_EXIT -> {}
      default -> {
        if (!outcome.tryFail(CmFailures.of(event, Role.ACTIVE, peer.toString()))
            && connection != null) {
          connection.ended();
        }
      }
    }
  }

  private void request() {
    connection = new VerbsConnection(loop, id, options, resources);
    connection.start();
    id.connect(parameters);
  }
}
