package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Carries RoCEv2 packets between one local address and others: adds and checks the invariant CRC,
 * knows nothing of what is inside.
 *
 * <p>A packet here is the bytes from the BTH through the pad, without the CRC. Packets to the
 * link's own address skip the socket and arrive like any other. Order is kept towards one
 * destination unless faults are injected. Thread-safe.
 */
public interface Link extends AutoCloseable {

  /** Takes packets, on the link's event loop. */
  interface Receiver {

    /**
     * One packet whose CRC was right. The buffer, from position to limit, is big-endian, read-only
     * in spirit, and valid during the call only.
     */
    void packet(InetAddress source, ByteBuffer packet);

    /** Called after the packets of one read. */
    void batchEnd();
  }

  /** The local address. */
  InetAddress localAddress();

  /** The largest path MTU (256, 512, 1024, 2048 or 4096) whose packets fit the interface. */
  int maxPathMtu();

  /** Sets who gets the packets; once, before anything is sent. */
  void setReceiver(Receiver receiver);

  /**
   * Queues a packet, from position to limit; its bytes are copied before this returns. What can't
   * be sent is dropped and counted, like on any wire.
   */
  void send(InetAddress destination, ByteBuffer packet);

  /** Sends what is queued. */
  void flush();

  /** Closes the socket; packets under way are dropped. Idempotent. */
  @Override
  void close();
}
