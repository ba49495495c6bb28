package io.vertxrdma.systemtests.soft;

import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** A link that remembers which threads its packets arrive on. */
record WatchedLink(Link link, Set<Thread> threads) implements Link {

  @Override
  public InetAddress localAddress() {
    return link.localAddress();
  }

  @Override
  public int maxPathMtu() {
    return link.maxPathMtu();
  }

  @Override
  public void setReceiver(Receiver receiver) {
    link.setReceiver(
        new Receiver() {
          @Override
          public void packet(InetAddress source, ByteBuffer packet) {
            threads.add(Thread.currentThread());
            receiver.packet(source, packet);
          }

          @Override
          public void batchEnd() {
            receiver.batchEnd();
          }
        });
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    link.send(destination, packet);
  }

  @Override
  public void flush() {
    link.flush();
  }

  @Override
  public void close() {
    link.close();
  }
}
