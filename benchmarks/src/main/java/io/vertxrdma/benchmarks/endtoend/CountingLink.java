package io.vertxrdma.benchmarks.endtoend;

import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Counts the packets of a soft device, both ways. */
final class CountingLink implements Link {

  private final Link link;
  private final LongAdder packets;

  CountingLink(Link link, LongAdder packets) {
    this.link = link;
    this.packets = packets;
  }

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
            packets.increment();
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
    packets.increment();
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
