package io.vertxrdma.benchmarks;

import io.vertxrdma.soft.io.Link;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link whose packets wait in memory until somebody carries them over. */
final class MemoryLink implements Link {

  private static final int SLOTS = 4096;
  private static final int LARGEST = 256;

  private final InetAddress address;
  private final ByteBuffer[] waiting = new ByteBuffer[SLOTS];
  private int count;
  private Receiver receiver;

  MemoryLink(InetAddress address) {
    this.address = address;
    for (int i = 0; i < SLOTS; i++) {
      waiting[i] = ByteBuffer.allocateDirect(LARGEST);
    }
  }

  /** Gives what was sent here to the other end's receiver; returns how many packets that were. */
  int carryTo(MemoryLink other) {
    int carried = count;
    count = 0;
    for (int i = 0; i < carried; i++) {
      other.receiver.packet(address, waiting[i]);
    }
    if (carried > 0) {
      other.receiver.batchEnd();
    }
    return carried;
  }

  @Override
  public InetAddress localAddress() {
    return address;
  }

  @Override
  public int maxPathMtu() {
    return 4096;
  }

  @Override
  public void setReceiver(Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    waiting[count++].clear().put(packet).flip();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
