package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Session;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A member's end: joins a hub, says and hears. Its methods may be called from any thread. */
final class ChatMember implements ChatLink.Handler {

  private final Session session;
  private final BiConsumer<ChatMessage, Runnable> screen;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private final Promise<Void> ended = Promise.promise();
  private InboxRing inbox;
  private RdmaConnection connection;
  private ChatLink link;
  private boolean over;

  /** A message that waits for a slot. */
  private record Pending(ChatMessage message, Promise<Void> taken) {}

  private ChatMember(Session session, BiConsumer<ChatMessage, Runnable> screen) {
    this.session = session;
    this.screen = screen;
  }

  /**
   * Joins a hub, stays for as long as the work takes and the connection lasts, and leaves.
   *
   * @param screen gets each message on the event loop, with what to run when it was shown; until
   *     then the hub can't reuse its slot
   * @param joined called once when in; the member leaves with {@link #leave}
   * @return completes when left; fails when refused, or when the connection failed
   */
  static Future<Void> join(
      Session session,
      RdmaProvider provider,
      InetSocketAddress hub,
      String nick,
      BiConsumer<ChatMessage, Runnable> screen,
      Consumer<ChatMember> joined) {
    return new ChatMember(session, screen).stay(provider, hub, nick, joined);
  }

  private Future<Void> stay(
      RdmaProvider provider, InetSocketAddress hub, String nick, Consumer<ChatMember> joined) {
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setConnectTimeout(ChatServer.PATIENCE)
            .setResolveTimeout(ChatServer.PATIENCE);
    RdmaClient client = RdmaClient.create(session.vertx(), options, provider);
    return connect(client, hub, nick)
        .compose(
            in -> {
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
          int room = whole.roomForText(link.slotSize()) - Greeting.MAX_NICK;
          Future<Void> last = Future.succeededFuture();
          for (String part : Utf8.split(whole.text(), room)) {
            last = send(whole.withText(part));
          }
          return last;
        });
  }

  /** Asks who is here; a notice answers. */
  Future<Void> who() {
    return session.onLoop(() -> send(ChatMessage.who()));
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
    return session.onLoop(() -> link.drained().compose(drained -> connection.close()));
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    screen.accept(message, read);
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
    if (cause == null) {
      ended.complete();
    } else {
      ended.fail(cause);
    }
  }
}
