package io.vertxrdma.demos.chat;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.HubGreeting;
import io.vertxrdma.demos.chat.room.Elsewhere;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.directory.EndpointTakenException;
import io.vertxrdma.directory.RdmaDirectory;
import io.vertxrdma.directory.RdmaEndpoint;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other hubs: found through a directory, connected by RDMA, each with each. On the hub's event
 * loop.
 *
 * <p>A hub that comes connects to all that are there. Later the one whose address is first in the
 * alphabet connects, again and again for as long as the directory has the other.
 */
final class HubMesh implements Elsewhere {

  /** The name that hubs register. */
  static final String SERVICE = "vertx-rdma chat";

  /** Milliseconds until the next attempt to connect, or to register. */
  static final int RETRY = 1_000;

  /** Milliseconds that a connection to another hub may take: who is not there must not hold up. */
  private static final int PATIENCE = 20_000;

  /** Attempts to register at an address whose former owner the cluster still believes in. */
  private static final int REGISTRATIONS = 60;

  private static final String ID = "id";
  private static final Logger LOG = LoggerFactory.getLogger(HubMesh.class);

  private final Vertx vertx;
  private final RdmaClient client;
  private final Hub hub;
  private final Histories histories;
  private final RdmaEndpoint own;
  private final String id = UUID.randomUUID().toString().substring(0, HubGreeting.ID_LENGTH);
  private final Consumer<String> screen;
  private final Map<String, Linked> links = new LinkedHashMap<>();
  private final Set<String> connecting = new HashSet<>();
  private List<RdmaEndpoint> listed = List.of();
  private boolean closed;

  /** A link, and the id of the hub that made the connection. */
  private record Linked(HubLink link, String madeBy) {}

  /**
   * A mesh of this hub alone.
   *
   * @param options metrics and heartbeat
   * @param host where other hubs can connect to this one
   * @param screen gets every line there is to see at the hub; must not block
   */
  HubMesh(
      Vertx vertx,
      RdmaProvider provider,
      RdmaClientOptions options,
      Hub hub,
      Histories histories,
      String host,
      int port,
      Consumer<String> screen) {
    this.vertx = vertx;
    this.hub = hub;
    this.histories = histories;
    this.screen = screen;
    this.own = new RdmaEndpoint(SERVICE, host, port, Map.of(ID, id));
    this.client =
        RdmaClient.create(
            vertx,
            new RdmaClientOptions(options).setConnectTimeout(PATIENCE).setResolveTimeout(PATIENCE),
            provider);
    hub.setElsewhere(this);
  }

  /** What happens to the connections made here. */
  Flowable<CmEvent> events() {
    return client.events();
  }

  /** The hubs there are links to. */
  List<HubLink> links() {
    return links.values().stream().map(Linked::link).toList();
  }

  /**
   * Connects to the hubs that are there, registers this one, and watches who comes. This hub must
   * listen already. The directory's end is the caller's.
   */
  Future<Void> join(RdmaDirectory directory) {
    return directory
        .lookup(SERVICE)
        .compose(
            there -> {
              List<Future<Void>> attempts = new ArrayList<>();
              there.stream()
                  .filter(this::isAnother)
                  .forEach(other -> attempts.add(connect(other).otherwiseEmpty()));
              return Future.join(attempts);
            })
        .compose(connected -> register(directory, 1))
        .map(
            registered -> {
              ReadStream<List<RdmaEndpoint>> watch = directory.watchStream(SERVICE);
              watch.exceptionHandler(failure -> LOG.warn("{}", failure.getMessage()));
              watch.handler(this::list);
              return null;
            });
  }

  private Future<Void> register(RdmaDirectory directory, int attempt) {
    return directory
        .register(own)
        .<Void>mapEmpty()
        .recover(
            failure ->
                failure instanceof EndpointTakenException && attempt < REGISTRATIONS && !closed
                    ? vertx
                        .timer(RETRY, TimeUnit.MILLISECONDS)
                        .compose(later -> register(directory, attempt + 1))
                    : Future.failedFuture(failure));
  }

  private boolean isAnother(RdmaEndpoint endpoint) {
    return !endpoint.address().equals(own.address());
  }

  private static String id(RdmaEndpoint endpoint) {
    return endpoint.attributes().getOrDefault(ID, "");
  }

  private void list(List<RdmaEndpoint> now) {
    listed = now.stream().filter(this::isAnother).toList();
    listed.stream().filter(this::isOursToConnect).forEach(this::connectUntilGone);
  }

  private boolean isOursToConnect(RdmaEndpoint other) {
    return own.address().compareTo(other.address()) < 0;
  }

  private void connectUntilGone(RdmaEndpoint other) {
    if (closed
        || !listed.contains(other)
        || links.containsKey(id(other))
        || connecting.contains(id(other))) {
      return;
    }
    connect(other).onFailure(failure -> vertx.setTimer(RETRY, again -> connectUntilGone(other)));
  }

  private Future<Void> connect(RdmaEndpoint other) {
    connecting.add(id(other));
    InboxRing[] inbox = new InboxRing[1];
    return client
        .connect(
            other.port(),
            other.host(),
            memory ->
                ChatRing.allocate(memory)
                    .map(
                        made -> {
                          inbox[0] = made;
                          return new HubGreeting(id, own.port(), made.descriptor()).encode();
                        }))
        .compose(connection -> connected(connection, inbox[0]))
        .onFailure(
            failure -> {
              if (inbox[0] != null) {
                inbox[0].close();
              }
              LOG.info("no connection to hub {}: {}", other.address(), failure.getMessage());
            })
        .onComplete(done -> connecting.remove(id(other)));
  }

  private Future<Void> connected(RdmaConnection connection, InboxRing inbox) {
    HubGreeting other;
    try {
      other = HubGreeting.decodeReply(connection.peerPrivateData());
    } catch (HandshakeException | ProtocolException stranger) {
      return connection.close().transform(done -> Future.failedFuture(stranger));
    }
    link(connection, inbox, other, id);
    return Future.succeededFuture();
  }

  /** Lets another hub in. */
  void accept(ConnectRequest request, HubGreeting other) {
    ChatRing.allocate(request.memory())
        .compose(
            inbox ->
                request
                    .accept(new HubGreeting(id, own.port(), inbox.descriptor()).encodeReply())
                    .onSuccess(connection -> link(connection, inbox, other, other.id()))
                    .onFailure(failed -> inbox.close()))
        .onFailure(failure -> LOG.warn("a hub could not connect: {}", failure.getMessage()));
  }

  private void link(RdmaConnection connection, InboxRing inbox, HubGreeting other, String madeBy) {
    Linked before = links.get(other.id());
    if (closed || before != null && !replaces(madeBy, before.madeBy())) {
      connection.close().onComplete(done -> inbox.close());
      return;
    }
    if (before != null) {
      before.link().end(null);
    }
    String name = "hub " + connection.remoteAddress().hostAddress() + ":" + other.port();
    ChatLink chatLink = new ChatLink(connection, inbox, other.ring());
    HubLink link =
        new HubLink(
            hub,
            histories,
            name,
            chatLink,
            ended -> {
              links.values().removeIf(each -> each.link() == ended);
              connection.close().onComplete(done -> inbox.close());
              screen.accept("* " + name + " is gone");
              listed.stream()
                  .filter(each -> id(each).equals(other.id()) && isOursToConnect(each))
                  .forEach(each -> vertx.setTimer(RETRY, again -> connectUntilGone(each)));
            });
    links.put(other.id(), new Linked(link, madeBy));
    screen.accept("* " + name + " is here");
    link.start();
  }

  /**
   * Of two connections between the same hubs both keep the same one: the newer, when the same hub
   * made both, since it knows that the older is lost; else that of the hub whose id is first.
   */
  private static boolean replaces(String madeBy, String before) {
    return madeBy.compareTo(before) <= 0;
  }

  @Override
  public void said(String nick, String text) {
    links().forEach(link -> link.said(nick, text));
  }

  @Override
  public void entered(String nick, Room room) {
    links().forEach(link -> link.entered(nick, room));
  }

  @Override
  public void left(String nick, String lost) {
    links().forEach(link -> link.left(nick, lost));
  }

  /** Closes all links. Idempotent. */
  Future<Void> close() {
    closed = true;
    links().forEach(link -> link.end(null));
    return client.close();
  }
}
