package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link whose outgoing packets are written to a capture. */
final class CapturedLink extends ForwardingLink implements CorruptibleLink {

  private final PacketCapture capture;

  CapturedLink(Link link, PacketCapture capture) {
    super(link);
    this.capture = capture;
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    // First, or the answer could be in the capture before it.
    capture.write(localAddress(), destination, packet, CrcSeal.INTACT);
    super.send(destination, packet);
  }

  @Override
  public void sendCorrupted(InetAddress destination, ByteBuffer packet, int bit) {
    capture.write(localAddress(), destination, packet, bit & Integer.MAX_VALUE);
    if (link() instanceof CorruptibleLink corruptible) {
      corruptible.sendCorrupted(destination, packet, bit);
    }
  }
}
