package io.vertxrdma.benchmarks.endtoend;

import io.vertxrdma.soft.io.ForwardingLink;
import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Counts the packets of a soft device, both ways. */
final class CountingLink extends ForwardingLink {

  private final LongAdder packets;

  CountingLink(Link link, LongAdder packets) {
    super(link);
    this.packets = packets;
  }

  @Override
  protected void arriving(InetAddress source, ByteBuffer packet) {
    packets.increment();
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    packets.increment();
    super.send(destination, packet);
  }
}
