package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.SharedReceiveOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Receives shared by three connections, one of which talks much and reads slowly. */
class I9_SharedReceivesContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final Map<Integer, RdmaConnection> servers = new ConcurrentHashMap<>();
  private final List<RdmaConnection> clients = new ArrayList<>();
  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final AtomicInteger limitEvents = new AtomicInteger();
  private RdmaServer server;

  private void connect(SharedReceiveOptions shared, int count) {
    server = rig.server(new RdmaServerOptions().setSharedReceives(shared));
    server
        .deviceEvents()
        .subscribe(
            event -> {
              if (event.kind() == DeviceEvent.Kind.SRQ_LIMIT_REACHED) {
                limitEvents.incrementAndGet();
              }
            });
    server.connectRequestHandler(
        request -> {
          int number = request.privateData().getInt(0);
          request.accept().onSuccess(connection -> servers.put(number, connection));
        });
    int port = rig.listen(server);
    RdmaClient client = rig.client(new RdmaClientOptions());
    for (int i = 0; i < count; i++) {
      RdmaConnection connection =
          rig.await(client.connect(port, rig.address(), Buffer.buffer().appendInt(i)));
      connection.exceptionHandler(broken::set);
      clients.add(connection);
    }
    Traffic.eventually("all are accepted", () -> servers.size() == count);
    servers.values().forEach(connection -> connection.exceptionHandler(broken::set));
  }

  @Test
  void a_slow_talker_holds_up_the_others_only_until_it_reads_and_nobody_fails() {
    connect(new SharedReceiveOptions().setDepth(8).setMaxDepth(8).setLowWatermark(3), 3);
    TestSubscriber<Immediate> slow = Traffic.subscribe(servers.get(0), 0);
    TestSubscriber<Immediate> second = Traffic.subscribe(servers.get(1), Long.MAX_VALUE);
    TestSubscriber<Immediate> third = Traffic.subscribe(servers.get(2), Long.MAX_VALUE);

    List<Future<Void>> sent = new ArrayList<>(Traffic.send(clients.get(0), 0, 100));
    Traffic.eventually(
        "the talker holds all", () -> servers.get(0).counters().immediatesWaiting() == 8);
    sent.addAll(Traffic.send(clients.get(1), 1_000, 10));
    sent.addAll(Traffic.send(clients.get(2), 2_000, 10));
    Traffic.eventuallyForGood("one event for one arming", () -> limitEvents.get() == 1);
    assertThat(second.values()).isEmpty();
    assertThat(third.values()).isEmpty();

    // It reads slowly: one after the other.
    for (int i = 1; i <= 100; i++) {
      int number = i;
      slow.request(1);
      Traffic.eventually("the next", () -> slow.values().size() == number);
    }
    rig.await(Future.all(sent));
    Traffic.eventually(
        "all arrive", () -> second.values().size() == 10 && third.values().size() == 10);
    assertThat(Traffic.values(slow)).isEqualTo(Traffic.numbers(0, 100));
    assertThat(Traffic.values(second)).isEqualTo(Traffic.numbers(1_000, 1_010));
    assertThat(Traffic.values(third)).isEqualTo(Traffic.numbers(2_000, 2_010));
    assertThat(broken).hasNullValue();
    Traffic.eventually(
        "all receives are posted", () -> servers.get(0).counters().receivesPosted() >= 7);

    // Armed again: it tells again.
    int before = limitEvents.get();
    sent = Traffic.send(clients.get(1), 0, 8);
    rig.await(Future.all(sent));
    TestSubscriber<Immediate> again = Traffic.subscribe(servers.get(0), 0);
    sent = Traffic.send(clients.get(0), 0, 8);
    Traffic.eventually("a further event", () -> limitEvents.get() > before);
    again.request(Long.MAX_VALUE);
    rig.await(Future.all(sent));
  }

  @Test
  void a_reserve_keeps_the_others_going_while_the_talker_is_not_read() {
    connect(new SharedReceiveOptions().setDepth(8).setMaxDepth(24).setShare(2), 3);
    TestSubscriber<Immediate> slow = Traffic.subscribe(servers.get(0), 0);
    TestSubscriber<Immediate> second = Traffic.subscribe(servers.get(1), Long.MAX_VALUE);

    List<Future<Void>> sent = Traffic.send(clients.get(0), 0, 16);
    rig.await(Future.all(sent));
    Traffic.eventually("16 wait unread", () -> servers.get(0).counters().immediatesWaiting() == 16);
    // 14 beyond the share were replaced: 6 of the 8 are still there for others.
    rig.await(Future.all(Traffic.send(clients.get(1), 0, 200)));
    Traffic.eventually("all of the second", () -> second.values().size() == 200);

    slow.request(Long.MAX_VALUE);
    Traffic.eventually("all of the talker", () -> slow.values().size() == 16);
    Traffic.eventually(
        "all receives are posted, and no more",
        () -> List.of(7, 8).contains(servers.get(0).counters().receivesPosted()));
    assertThat(broken).hasNullValue();
  }

  @Test
  void receives_held_by_a_connection_that_ends_go_back_to_the_pool_and_nothing_is_lost() {
    connect(new SharedReceiveOptions().setDepth(8).setMaxDepth(8), 3);
    rig.await(Future.all(Traffic.send(clients.get(0), 0, 5)));
    rig.await(Future.all(Traffic.send(clients.get(1), 50, 3)));
    rig.await(clients.get(0).close());
    rig.await(servers.get(0).closed());
    Traffic.eventually(
        "what the ended one held is back", () -> servers.get(2).counters().receivesPosted() == 5);
    rig.await(servers.get(1).close());
    Traffic.eventually(
        "so is that of one closed here", () -> servers.get(2).counters().receivesPosted() >= 7);

    TestSubscriber<Immediate> ended = Traffic.subscribe(servers.get(0), Long.MAX_VALUE);
    Traffic.eventuallyCompleted(ended);
    assertThat(Traffic.values(ended)).isEqualTo(Traffic.numbers(0, 5));

    TestSubscriber<Immediate> third = Traffic.subscribe(servers.get(2), Long.MAX_VALUE);
    rig.await(Future.all(Traffic.send(clients.get(2), 0, 100)));
    Traffic.eventually("the rest goes on", () -> third.values().size() == 100);
  }

  @Test
  void the_peer_is_told_that_receives_are_shared() {
    connect(new SharedReceiveOptions().setDepth(8).setMaxDepth(8), 1);
    // A queue pair with a shared queue has no receives of its own, whatever its receiveDepth says.
    assertThat(servers.get(0).counters().receivesPosted()).isEqualTo(8);
    RdmaServer observed = rig.server();
    AtomicReference<Boolean> told = new AtomicReference<>();
    observed.connectRequestHandler(
        request -> {
          told.set(request.announced().sharedReceiveQueue());
          request.accept();
        });
    int port = rig.listen(observed);
    RdmaClient sharing =
        rig.client(new RdmaClientOptions().setSharedReceives(new SharedReceiveOptions()));
    rig.await(sharing.connect(port, rig.address()));
    assertThat(told).hasValue(true);
  }
}
