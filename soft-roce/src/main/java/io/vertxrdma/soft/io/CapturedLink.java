package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link whose outgoing packets are written to a capture. */
final class CapturedLink implements CorruptibleLink {

  private final Link link;
  private final PacketCapture capture;

  CapturedLink(Link link, PacketCapture capture) {
    this.link = link;
    this.capture = capture;
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
    link.setReceiver(receiver);
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    // First, or the answer could be in the capture before it.
    capture.write(localAddress(), destination, packet, CrcSeal.INTACT);
    link.send(destination, packet);
  }

  @Override
  public void sendCorrupted(InetAddress destination, ByteBuffer packet, int bit) {
    capture.write(localAddress(), destination, packet, bit & Integer.MAX_VALUE);
    if (link instanceof CorruptibleLink corruptible) {
      corruptible.sendCorrupted(destination, packet, bit);
    }
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
