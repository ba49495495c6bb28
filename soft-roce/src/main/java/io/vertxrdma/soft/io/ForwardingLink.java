package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A link that hands everything on to another one; to be extended by those that watch or change. */
public abstract class ForwardingLink implements Link {

  private final Link link;

  /** Hands on to this link. */
  protected ForwardingLink(Link link) {
    this.link = Objects.requireNonNull(link, "link");
  }

  /** The link behind this one. */
  protected final Link link() {
    return link;
  }

  /**
   * Called with each packet that arrives, before the receiver gets it. On the link's event loop.
   *
   * @param packet as in {@link Link.Receiver#packet}; position and limit must be left as they are
   */
  protected void arriving(InetAddress source, ByteBuffer packet) {}

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
            arriving(source, packet);
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
