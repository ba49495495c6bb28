package io.vertxrdma.docs;

import static io.vertxrdma.docs.SoftPairs.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.LookupRejectedException;
import io.vertxrdma.reactive.Datagram;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.ReceivedDatagram;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.WorkRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the chapter on datagrams does what the chapter says, on the soft provider. */
class DatagramsTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private static final String ADDRESS = "127.0.0.93";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  @Test
  void a_service_answers_with_the_length_of_the_question() {
    get(Datagrams.service(vertx, ADDRESS));
    assertThat(get(Datagrams.ask(vertx, ADDRESS, "how long?"))).isEqualTo(9);
  }

  @Test
  void a_stranger_is_told_why_not_and_a_member_is_welcome() {
    RdmaDatagramSocket service = RdmaDatagramSocket.create(vertx);
    Datagrams.members(service, data -> data.toString().startsWith("friend"));
    get(service.listen(7471, ADDRESS));
    RdmaDatagramSocket socket = RdmaDatagramSocket.create(vertx);

    assertThat(get(Datagrams.refusal(socket, ADDRESS)).privateData().toString())
        .startsWith("welcome");
    Throwable refused =
        catchThrowable(() -> get(socket.lookup(7471, ADDRESS, Buffer.buffer("stranger"))));
    assertThat(refused.getCause())
        .isInstanceOfSatisfying(
            LookupRejectedException.class,
            no ->
                assertThat(Buffer.buffer(no.privateData()).toString()).startsWith("members only"));
  }

  @Test
  void a_stream_reaches_a_peer_whose_number_was_told_elsewhere() throws Exception {
    RdmaDatagramSocket receiver = RdmaDatagramSocket.create(vertx, Datagrams.options());
    List<String> come = new CopyOnWriteArrayList<>();
    receiver.datagrams().map(ReceivedDatagram::take).subscribe(line -> come.add(line.toString()));
    get(receiver.listen(7471, ADDRESS));
    RdmaDatagramSocket sender =
        RdmaDatagramSocket.create(vertx, new RdmaDatagramOptions().setLocalHost(ADDRESS));
    get(sender.lookup(7471, ADDRESS));
    DatagramPeer peer =
        get(Datagrams.known(sender, InetAddress.getByName(ADDRESS), receiver.queuePairNumber()));
    RegisteredBuffer line = get(sender.memory().copyOf(Buffer.buffer("line")));

    Datagrams.ship(
            sender,
            Flowable.range(0, 200)
                .map(i -> WorkRequest.send(Datagrams.first(sender, line)))
                .map(send -> new Datagram(send, peer)))
        .blockingAwait();

    // On one device none is lost, and these receives are enough for all.
    SoftPairs.until(vertx, "all have come", () -> come.size() == 200);
    assertThat(come).containsOnly("line");
  }
}
