package io.vertxrdma.docs;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivePlan;
import io.vertxrdma.reactive.SharedReceiveOptions;
import java.net.InetAddress;
import java.util.function.Consumer;

/** The code of the chapter on shared receives and capacity. */
public final class SharedReceives {

  private SharedReceives() {}

  /** The window that a rate and a pause of the reader ask for. */
  public static int window(int perSecond, int pauseMillis) {
    // tag::window[]
    int window = Math.toIntExact((long) perSecond * pauseMillis / 1000 * 5 / 4);
    // end::window[]
    return window;
  }

  /** As many shared receives as eight peers with 512 writes under way need. */
  public static RdmaServerOptions shared(RdmaProvider provider, InetAddress address) {
    // tag::shared[]
    DeviceAttributes device =
        provider.deviceFor(address).orElseThrow().attributes(); // opens devices: on a worker
    return new ReceivePlan(8, 512).shared(new RdmaServerOptions(), device);
    // end::shared[]
  }

  /** As many of its own for each connection. */
  public static RdmaServerOptions own(DeviceAttributes device) {
    // tag::own[]
    return new ReceivePlan(8, 512).own(new RdmaServerOptions(), device);
    // end::own[]
  }

  /** A pool for many connections, most of them quiet. */
  public static RdmaServerOptions pool() {
    // tag::pool[]
    return new RdmaServerOptions()
        .setSharedReceives(
            new SharedReceiveOptions()
                .setDepth(1024) // posted when none is used
                .setMaxDepth(4096) // posted or held, at most
                .setShare(64) // held by one connection before the reserve replaces them
                .setLowWatermark(256)); // the device tells when fewer are posted
    // end::pool[]
  }

  /** Tells when a pool runs low. */
  public static Disposable watch(RdmaServer server, Consumer<String> operator) {
    // tag::limit[]
    return server
        .deviceEvents()
        .filter(event -> event.kind() == DeviceEvent.Kind.SRQ_LIMIT_REACHED)
        .subscribe(event -> operator.accept(event.device().name() + ": few receives are left"));
    // end::limit[]
  }

  /** What a connection says of its receives. */
  public static String look(RdmaConnection connection) {
    // tag::look[]
    ConnectionCounters now = connection.counters();
    int held = now.immediatesWaiting() + now.messagesWaiting();
    return now.receivesPosted()
        + " posted, "
        + held
        + " held here, "
        + now.receivesExhausted()
        + " times seen used up";
    // end::look[]
  }

  /** Refusals of senders that this side's port has counted so far; blocking. */
  public static long refusals(RdmaConnection connection) {
    // tag::refusals[]
    return connection.device().readCounters(1).get("send_rnr_err").orElse(0); // rxe and soft
    // end::refusals[]
  }
}
