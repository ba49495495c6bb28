package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Caller;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.HubGreeting;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hub's RDMA end: lets members in, or tells them why not. */
final class ChatServer {

  /** How long a member may take to come in, milliseconds: a busy machine is no reason to refuse. */
  static final int PATIENCE = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(ChatServer.class);

  private final RdmaServer server;
  private final Hub hub;
  private final Histories histories;
  private final Set<MemberSeat> seats = new LinkedHashSet<>();
  private final Consumer<String> screen;
  private HubMesh mesh;

  /**
   * Makes a hub's end that does not listen yet; on the event loop that it is to use.
   *
   * @param options metrics and heartbeat
   * @param screen gets every line there is to see at the hub; must not block
   */
  ChatServer(
      Vertx vertx,
      RdmaProvider provider,
      RdmaServerOptions options,
      Hub hub,
      Histories histories,
      Consumer<String> screen) {
    this.hub = hub;
    this.histories = histories;
    this.screen = screen;
    this.server =
        RdmaServer.create(
            vertx, new RdmaServerOptions(options).setAcceptTimeout(PATIENCE), provider);
    server.connectRequestHandler(this::requested);
  }

  Future<RdmaServer> listen(int port, String address) {
    return server.listen(port, address);
  }

  /** Lets other hubs in, too. To be set before it listens. */
  void setMesh(HubMesh others) {
    mesh = others;
  }

  /** For observers. */
  RdmaServer server() {
    return server;
  }

  /** The members that are connected, in the order in which they came, and the other hubs. */
  List<FabricEnd> ends() {
    List<FabricEnd> ends = new ArrayList<>(seats);
    if (mesh != null) {
      ends.addAll(mesh.links());
    }
    return ends;
  }

  Future<Void> close() {
    return server.close();
  }

  private void requested(ConnectRequest request) {
    Caller caller;
    try {
      caller = Greeting.read(request.privateData());
    } catch (HandshakeException stranger) {
      refuse(request, stranger.getMessage(), stranger.toPrivateData());
      return;
    } catch (ProtocolException objection) {
      refuse(request, objection.getMessage(), Greeting.refusal(objection.getMessage()));
      return;
    }
    if (caller instanceof HubGreeting other) {
      requestedByHub(request, other);
    } else {
      requestedByMember(request, (Hello) caller);
    }
  }

  private void requestedByHub(ConnectRequest request, HubGreeting other) {
    if (mesh == null) {
      String alone = "this hub was not started with --cluster";
      refuse(request, alone, Greeting.refusal(alone));
      return;
    }
    mesh.accept(request, other);
  }

  private void requestedByMember(ConnectRequest request, Hello hello) {
    if (!hub.reserve(hello.nick())) {
      String taken = "the nickname " + hello.nick() + " is taken";
      refuse(request, taken, Greeting.refusal(taken));
      return;
    }
    admit(request, hello)
        .onFailure(
            failure -> {
              hub.release(hello.nick());
              LOG.warn("{} could not join: {}", hello.nick(), failure.getMessage());
            });
  }

  private void refuse(ConnectRequest request, String reason, Buffer told) {
    screen.accept("* refused " + request.remoteAddress() + ": " + reason);
    request.reject(told).onFailure(gone -> LOG.info("{}", gone.getMessage()));
  }

  private Future<Void> admit(ConnectRequest request, Hello hello) {
    return ChatRing.allocate(request.memory())
        .compose(inbox -> accept(request, hello, inbox).onFailure(failed -> inbox.close()));
  }

  private Future<Void> accept(ConnectRequest request, Hello hello, InboxRing inbox) {
    return request
        .accept(new Welcome(hub.firstRoom().name(), inbox.descriptor()).encode())
        .map(connection -> seat(connection, hello, inbox));
  }

  private Void seat(RdmaConnection connection, Hello hello, InboxRing inbox) {
    ChatLink link = new ChatLink(connection, inbox, hello.ring());
    MemberSeat seat =
        new MemberSeat(
            hub,
            histories,
            hello.nick(),
            link,
            left -> {
              seats.remove(left);
              inbox.close();
            });
    seats.add(seat);
    link.start(seat);
    return null;
  }
}
