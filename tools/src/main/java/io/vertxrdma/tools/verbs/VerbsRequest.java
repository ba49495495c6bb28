package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.CmEventHandler;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;

/** A peer's request to connect, to be accepted or rejected once. On the event loop. */
public final class VerbsRequest {

  private final RdmaLoop loop;
  private final CmId id;
  private final CmEvent event;
  private final Promise<VerbsConnection> outcome = Promise.promise();
  private VerbsConnection connection;

  VerbsRequest(RdmaLoop loop, CmEvent event) {
    this.loop = loop;
    this.id = event.id();
    this.event = event;
    CmEventHandler handler = this::event;
    id.setAttachment(handler);
  }

  /** What the peer sent: 56 bytes, zero-padded. */
  public byte[] privateData() {
    return event.privateData();
  }

  /** What the peer asked for, as accepting would use it. */
  public ConnParam parameters() {
    return event.parameters();
  }

  /** Accepts with depths as the peer asked, and data for the peer, up to 196 bytes. */
  public Future<VerbsConnection> accept(VerbsOptions options, byte[] data) {
    ConnParam asked = event.parameters();
    ConnParam parameters =
        new ConnParam(data, asked.responderResources(), asked.initiatorDepth(), 0, 6, 7, false, 0);
    return loop.device(id.device())
        .compose(device -> Resources.make(device, id, options))
        .compose(
            resources -> {
              connection = new VerbsConnection(loop, id, options, resources);
              connection.established(privateData());
              connection.start();
              id.accept(parameters);
              return outcome.future();
            })
        .onFailure(failed -> discard());
  }

  private void discard() {
    if (connection == null) {
      loop.destroy(id);
    } else {
      connection.close();
    }
  }

  /** Rejects, with data for the peer, up to 148 bytes. */
  public Future<Void> reject(byte[] data) {
    id.reject(data);
    return loop.destroy(id);
  }

  private void event(CmEvent next) {
    switch (next.type()) {
      case ESTABLISHED -> outcome.tryComplete(connection);
      case TIMEWAIT_EXIT -> {}
      default -> {
        if (!outcome.tryFail(CmFailures.of(next, Role.PASSIVE, String.valueOf(id)))
            && connection != null) {
          connection.ended();
        }
      }
    }
  }
}
