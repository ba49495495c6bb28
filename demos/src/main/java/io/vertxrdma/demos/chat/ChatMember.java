package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ChatMessage.Kind;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.demos.chat.room.Utf8;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Session;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** A member's end: joins a hub, says and hears. Its methods may be called from any thread. */
final class ChatMember implements ChatLink.Handler {

  private final Session session;
  private final Screen screen;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private final ArrayDeque<Unshown> unshown = new ArrayDeque<>();
  private final Promise<Void> ended = Promise.promise();
  private InboxRing inbox;
  private RdmaConnection connection;
  private ChatLink link;
  private boolean replaying;
  private boolean leaving;
  private boolean over;

  /** A message that waits for a slot. */
  private record Pending(ChatMessage message, Promise<Void> taken) {}

  /** A message that waits for the history to be shown; its slot is not free until then. */
  private record Unshown(ChatMessage message, Runnable read) {}

  /**
   * Where to go.
   *
   * @param hub its address
   * @param heartbeat milliseconds without a send after which to see whether the hub is there; 0:
   *     never
   * @param nick who it is
   * @param room "" for the hub's first
   */
  record Wish(InetSocketAddress hub, int heartbeat, String nick, String room) {}

  private ChatMember(Session session, Screen screen) {
    this.session = session;
    this.screen = screen;
  }

  /**
   * Joins a hub, stays for as long as the work takes and the connection lasts, and leaves.
   *
   * @param joined called once when in; the member leaves with {@link #leave}
   * @return completes when left; fails when refused, or when the connection failed
   */
  static Future<Void> join(
      Session session,
      RdmaProvider provider,
      Wish wish,
      Screen screen,
      Consumer<ChatMember> joined) {
    return new ChatMember(session, screen).stay(provider, wish, joined);
  }

  private Future<Void> stay(RdmaProvider provider, Wish wish, Consumer<ChatMember> joined) {
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setHeartbeatInterval(wish.heartbeat())
            .setConnectTimeout(ChatServer.PATIENCE)
            .setResolveTimeout(ChatServer.PATIENCE);
    RdmaClient client = RdmaClient.create(session.vertx(), options, provider);
    return connect(client, wish.hub(), wish.nick())
        .compose(
            in -> {
              send(ChatMessage.join(wish.room()));
              joined.accept(this);
              return ended.future();
            })
        .eventually(client::close);
  }

  private Future<Void> connect(RdmaClient client, InetSocketAddress hub, String nick) {
    return client
        .connect(
            hub.getPort(),
            hub.getHostString(),
            memory ->
                ChatRing.allocate(memory)
                    .map(
                        made -> {
                          inbox = made;
                          return new Hello(nick, made.descriptor()).encode();
                        }))
        .recover(failure -> Future.failedFuture(readable(failure)))
        .compose(
            made -> {
              connection = made;
              Welcome welcome;
              try {
                welcome = Welcome.decode(made.peerPrivateData());
              } catch (HandshakeException | ProtocolException stranger) {
                return made.close()
                    .transform(
                        closed ->
                            Future.failedFuture(
                                new CommandFailure(
                                    "the server is no chat hub: " + stranger.getMessage())));
              }
              link = new ChatLink(made, inbox, welcome.ring());
              link.start(this);
              return Future.succeededFuture();
            });
  }

  /** A refusal in the hub's own words. */
  private static Throwable readable(Throwable failure) {
    return failure instanceof HandshakeRejectedException rejected
        ? new CommandFailure("the hub refused: " + rejected.rejection().text())
        : failure;
  }

  /**
   * Says a text, in as many messages as it takes.
   *
   * @return completes when the last of it was taken for sending
   */
  Future<Void> say(String text) {
    return session.onLoop(
        () -> {
          ChatMessage whole = ChatMessage.say("", text);
          // The hub adds our nickname; leave room for the longest.
          int room = whole.roomForText(link.slotSize()) - Names.MAX_NICK;
          Future<Void> last = Future.succeededFuture();
          for (String part : Utf8.split(whole.text(), room)) {
            last = send(whole.withText(part));
          }
          return last;
        });
  }

  /** Asks who is here; a notice answers. */
  Future<Void> who() {
    return session.onLoop(() -> send(ChatMessage.of(Kind.WHO)));
  }

  /** Asks which rooms there are; a notice answers. */
  Future<Void> rooms() {
    return session.onLoop(() -> send(ChatMessage.of(Kind.ROOMS)));
  }

  /** Asks for a room; its history comes, or a notice says why not. */
  Future<Void> enter(String room) {
    return session.onLoop(() -> send(ChatMessage.join(room)));
  }

  private Future<Void> send(ChatMessage message) {
    if (over) {
      return Future.failedFuture("the connection has ended");
    }
    Promise<Void> taken = Promise.promise();
    pending.add(new Pending(message, taken));
    ready();
    return taken.future();
  }

  /** Leaves, after what was taken for sending has arrived. */
  Future<Void> leave() {
    return session.onLoop(
        () -> {
          leaving = true;
          return send(ChatMessage.of(Kind.LEAVE))
              .transform(said -> link.drained())
              .compose(drained -> connection.close());
        });
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    unshown.add(new Unshown(message, read));
    showUnshown();
  }

  private void showUnshown() {
    while (!replaying && !unshown.isEmpty()) {
      Unshown next = unshown.remove();
      if (next.message().kind() == Kind.ENTERED) {
        entered(next.message());
        next.read().run();
      } else {
        screen.show(Shown.now(next.message()), next.read());
      }
    }
  }

  /** Shows the history of the room before anything that was said afterwards. */
  private void entered(ChatMessage message) {
    HistoryPlace place;
    try {
      place = HistoryPlace.decode(message.text());
    } catch (ProtocolException violation) {
      link.violated(violation);
      return;
    }
    screen.room(message.nick());
    if (place == null) {
      return;
    }
    replaying = true;
    Replay.read(connection, place)
        .onComplete(
            read -> {
              replaying = false;
              if (read.succeeded()) {
                show(read.result());
              } else if (!over) {
                screen.show(Shown.notice("no history: " + read.cause().getMessage()), () -> {});
              }
              showUnshown();
            });
  }

  private void show(Replay replay) {
    if (replay.overwritten() > 0) {
      screen.show(
          Shown.notice("... " + replay.overwritten() + " older lines were overwritten meanwhile"),
          () -> {});
    }
    replay.lines().forEach(line -> screen.show(Shown.before(line), () -> {}));
  }

  @Override
  public void ready() {
    while (!pending.isEmpty() && link.offer(pending.peek().message())) {
      pending.remove().taken().complete();
    }
  }

  @Override
  public void ended(Throwable cause) {
    over = true;
    while (!pending.isEmpty()) {
      pending.remove().taken().fail("the connection has ended");
    }
    if (cause != null) {
      ended.fail(cause);
    } else if (leaving) {
      ended.complete();
    } else {
      ended.fail(new CommandFailure("the hub closed the connection"));
    }
  }
}
