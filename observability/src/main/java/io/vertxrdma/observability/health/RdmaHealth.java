package io.vertxrdma.observability.health;

import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import io.vertxrdma.core.Availability;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.RdmaServer;
import java.util.Objects;

/** Procedures for {@code io.vertx.ext.healthchecks.HealthChecks.register}. */
public final class RdmaHealth {

  private RdmaHealth() {}

  /**
   * Whether a provider can be used: it is available and at least one port of its devices is active.
   * The data has the provider, why it is available or not, and each port with its state. Looks on a
   * worker thread.
   */
  public static Handler<Promise<Status>> provider(Vertx vertx, RdmaProvider provider) {
    Objects.requireNonNull(vertx, "vertx");
    Objects.requireNonNull(provider, "provider");
    return promise -> vertx.executeBlocking(() -> look(provider), false).onComplete(promise);
  }

  private static Status look(RdmaProvider provider) {
    Availability availability = provider.availability();
    JsonArray ports = new JsonArray();
    boolean active = false;
    if (availability.isAvailable()) {
      for (DeviceContext device : provider.devices()) {
        for (int port = 1; port <= device.attributes().portCount(); port++) {
          PortAttributes.State state = device.queryPort(port).state();
          active |= state == PortAttributes.State.ACTIVE;
          ports.add(
              new JsonObject()
                  .put("device", device.name())
                  .put("port", port)
                  .put("state", state.name()));
        }
      }
    }
    JsonObject data =
        new JsonObject()
            .put("provider", provider.name())
            .put("reason", availability.reason())
            .put("ports", ports);
    return active ? Status.OK(data) : Status.KO(data);
  }

  /**
   * Whether a server listens: it has an address, and its device has not gone away since. Make it
   * before the server listens.
   */
  public static Handler<Promise<Status>> listener(RdmaServer server) {
    ListenerState state = new ListenerState(server);
    server.deviceEvents().subscribe(state::look, state::failed, state::closed);
    return promise -> promise.complete(state.status());
  }

  private static final class ListenerState {

    private final RdmaServer server;
    private volatile String trouble;

    ListenerState(RdmaServer server) {
      this.server = server;
    }

    void look(DeviceEvent event) {
      if (event.kind() == DeviceEvent.Kind.LISTENER_DOWN) {
        trouble = event.cause() == null ? "device lost" : event.cause().getMessage();
      } else if (event.kind() == DeviceEvent.Kind.LISTENER_UP) {
        trouble = null;
      }
    }

    void failed(Throwable failure) {
      trouble = failure.toString();
    }

    void closed() {
      trouble = "closed";
    }

    Status status() {
      String why = server.actualAddress() == null ? "does not listen" : trouble;
      JsonObject data = new JsonObject().put("address", String.valueOf(server.actualAddress()));
      return why == null ? Status.OK(data) : Status.KO(data.put("reason", why));
    }
  }
}
