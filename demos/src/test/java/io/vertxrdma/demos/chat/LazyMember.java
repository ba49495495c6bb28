package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.HubGreeting;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ChatMessage.Kind;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RingDescriptor;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A member, or another hub, that gives no slot back until it is woken up. */
final class LazyMember implements ChatLink.Handler {

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final ContextInternal context;
  private InboxRing inbox;
  private ChatLink link;
  private boolean awake;
  private final Deque<Runnable> unread = new ArrayDeque<>();

  LazyMember(Vertx vertx, RdmaProvider provider, int port) {
    this(
        vertx,
        provider,
        port,
        ring -> new Hello("lazy", ring).encode(),
        reply -> Welcome.decode(reply).ring(),
        ChatMessage.join(""));
  }

  /** Another hub, whose only member is in the lobby. */
  static LazyMember hub(Vertx vertx, RdmaProvider provider, int port, String nick) {
    return new LazyMember(
        vertx,
        provider,
        port,
        ring -> new HubGreeting("1a2b3c4d", 9, ring).encode(),
        reply -> HubGreeting.decodeReply(reply).ring(),
        new ChatMessage(Kind.JOIN, nick, "lobby"));
  }

  private LazyMember(
      Vertx vertx,
      RdmaProvider provider,
      int port,
      Function<RingDescriptor, Buffer> greeting,
      Function<Buffer, RingDescriptor> welcome,
      ChatMessage firstWord) {
    this.context = ((VertxInternal) vertx).createEventLoopContext();
    Future.<Void>future(
            joined ->
                context.runOnContext(
                    start ->
                        join(
                                provider,
                                new InetSocketAddress("10.0.0.1", port),
                                greeting,
                                welcome,
                                firstWord)
                            .onComplete(joined)))
        .await();
  }

  private Future<Void> join(
      RdmaProvider provider,
      InetSocketAddress hub,
      Function<RingDescriptor, Buffer> greeting,
      Function<Buffer, RingDescriptor> welcome,
      ChatMessage firstWord) {
    RdmaClient client = RdmaClient.create(context.owner(), new RdmaClientOptions(), provider);
    return client
        .connect(
            hub.getPort(),
            "10.0.0.1",
            memory ->
                ChatRing.allocate(memory)
                    .map(
                        made -> {
                          inbox = made;
                          return greeting.apply(made.descriptor());
                        }))
        .map(
            connection -> {
              RingDescriptor peer = welcome.apply(connection.peerPrivateData());
              link = new ChatLink(connection, inbox, peer);
              link.start(this);
              link.offer(firstWord);
              return null;
            });
  }

  void wakeUp() {
    context.runOnContext(
        now -> {
          awake = true;
          while (!unread.isEmpty()) {
            unread.remove().run();
          }
        });
  }

  /** Ends the connection without a word. */
  void vanish() {
    context.runOnContext(now -> link.connection().close());
  }

  /** The first line that has these words. */
  String heardUntil(String words) throws InterruptedException {
    String line = heard.poll(30, TimeUnit.SECONDS);
    while (line != null && !line.contains(words)) {
      line = heard.poll(30, TimeUnit.SECONDS);
    }
    return line;
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    heard.add(message.line());
    if (awake) {
      read.run();
    } else {
      unread.add(read);
    }
  }

  @Override
  public void ready() {}

  @Override
  public void ended(Throwable cause) {}
}
