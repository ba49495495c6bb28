package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.demos.chat.room.ChatMessage;
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

/** A member that gives no slot back until it is woken up. */
final class LazyMember implements ChatLink.Handler {

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final ContextInternal context;
  private InboxRing inbox;
  private ChatLink link;
  private boolean awake;
  private final Deque<Runnable> unread = new ArrayDeque<>();

  LazyMember(Vertx vertx, RdmaProvider provider, int port) {
    this.context = ((VertxInternal) vertx).createEventLoopContext();
    Future.<Void>future(
            joined ->
                context.runOnContext(
                    start ->
                        join(provider, new InetSocketAddress("10.0.0.1", port)).onComplete(joined)))
        .await();
  }

  private Future<Void> join(RdmaProvider provider, InetSocketAddress hub) {
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
                          return new Hello("lazy", made.descriptor()).encode();
                        }))
        .map(
            connection -> {
              RingDescriptor peer = Welcome.decode(connection.peerPrivateData()).ring();
              link = new ChatLink(connection, inbox, peer);
              link.start(this);
              link.offer(ChatMessage.join(""));
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
