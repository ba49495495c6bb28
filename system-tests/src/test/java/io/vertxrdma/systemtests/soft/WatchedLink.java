package io.vertxrdma.systemtests.soft;

import io.vertxrdma.soft.io.ForwardingLink;
import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** A link that remembers which threads its packets arrive on. */
final class WatchedLink extends ForwardingLink {

  private final Set<Thread> threads;

  WatchedLink(Link link, Set<Thread> threads) {
    super(link);
    this.threads = threads;
  }

  @Override
  protected void arriving(InetAddress source, ByteBuffer packet) {
    threads.add(Thread.currentThread());
  }
}
