package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.LookupRejectedException;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.reactive.Datagram;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.net.InetAddress;
import java.util.function.Predicate;

/** The code of the chapter on datagrams. */
public final class Datagrams {

  private Datagrams() {}

  /** A service that answers each datagram with the length of it. */
  public static Future<RdmaDatagramSocket> service(Vertx vertx, String address) {
    // tag::service[]
    RdmaDatagramSocket socket = RdmaDatagramSocket.create(vertx);
    socket
        .datagrams()
        .subscribe(
            datagram -> {
              Future<DatagramPeer> sender = datagram.sender(); // before the release
              Buffer question = datagram.take(); // a copy; the receive is posted again
              sender.compose(peer -> socket.sendImmediate(peer, question.length()));
            });
    return socket.listen(7471, address);
    // end::service[]
  }

  /** Asks such a service. */
  public static Future<Long> ask(Vertx vertx, String address, String question) {
    // tag::ask[]
    RdmaDatagramSocket socket = RdmaDatagramSocket.create(vertx);
    Future<Long> answer =
        Future.future(
            told ->
                socket
                    .datagrams()
                    .take(1)
                    .subscribe(
                        datagram -> {
                          told.complete(datagram.immediate());
                          datagram.release();
                        },
                        told::fail));
    return socket
        .lookup(7471, address)
        .compose(
            service ->
                socket
                    .memory()
                    .copyOf(Buffer.buffer(question))
                    .compose(bytes -> socket.send(bytes, service)))
        .compose(sent -> answer)
        .eventually(socket::close);
    // end::ask[]
  }

  /** A service that tells its queue pair to some. */
  public static void members(RdmaDatagramSocket socket, Predicate<Buffer> isMember) {
    // tag::requests[]
    socket.requestHandler(
        request -> {
          if (isMember.test(request.privateData())) {
            request.accept(Buffer.buffer("welcome"));
          } else {
            request.reject(Buffer.buffer("members only"));
          }
        });
    // end::requests[]
  }

  /** What a lookup can tell of a refusal. */
  public static Future<DatagramPeer> refusal(RdmaDatagramSocket socket, String address) {
    // tag::refusal[]
    return socket
        .lookup(7471, address, Buffer.buffer("friend"))
        .onFailure(
            failure -> {
              if (failure instanceof LookupRejectedException no
                  && no.status() == LookupRejectedException.REJECTED) {
                System.err.println(Buffer.buffer(no.privateData()));
              }
            });
    // end::refusal[]
  }

  /** A peer whose number was told elsewhere. */
  public static Future<DatagramPeer> known(
      RdmaDatagramSocket socket, InetAddress address, int queuePairNumber) {
    // tag::known[]
    return socket.peer(address, queuePairNumber, UdParam.DEFAULT_QUEUE_KEY);
    // end::known[]
  }

  /** Sends a stream out. */
  public static Completable ship(RdmaDatagramSocket socket, Flowable<Datagram> datagrams) {
    // tag::ship[]
    return socket.rxPostAll(datagrams, 64);
    // end::ship[]
  }

  /** More receives, for bursts. */
  public static RdmaDatagramOptions options() {
    // tag::options[]
    return new RdmaDatagramOptions().setReceiveDepth(2048);
    // end::options[]
  }

  /** The longest datagram. */
  public static RegisteredBuffer.Slice first(RdmaDatagramSocket socket, RegisteredBuffer bytes) {
    // tag::length[]
    return bytes.slice(0, Math.min(bytes.capacity(), socket.maxDatagramSize()));
    // end::length[]
  }
}
