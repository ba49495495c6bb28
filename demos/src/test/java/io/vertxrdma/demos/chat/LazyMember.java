package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A member that gives no slot back until it is woken up. */
final class LazyMember implements RingLink.Handler {

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final ContextInternal context;
  private RegisteredBuffer inbox;
  private RingLink link;
  private boolean awake;
  private int unread;

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
                memory
                    .allocateInbox(RingDescriptor.size())
                    .map(
                        made -> {
                          inbox = made;
                          return new Hello("lazy", RingDescriptor.of(made.remote())).encode();
                        }))
        .compose(
            connection -> {
              RingDescriptor peer = Welcome.decode(connection.peerPrivateData()).ring();
              return connection
                  .memory()
                  .allocate(RingLink.stagingSize(peer))
                  .map(
                      staging -> {
                        link =
                            new RingLink(
                                connection,
                                RingDescriptor.of(inbox.remote()),
                                inbox.byteBuffer(),
                                peer,
                                staging);
                        link.start(this);
                        return null;
                      });
            });
  }

  void wakeUp() {
    context.runOnContext(
        now -> {
          awake = true;
          for (; unread > 0; unread--) {
            link.read();
          }
        });
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
  public void message(ChatMessage message) {
    heard.add(message.line());
    if (awake) {
      link.read();
    } else {
      unread++;
    }
  }

  @Override
  public void ready() {}

  @Override
  public void ended(Throwable cause) {}
}
