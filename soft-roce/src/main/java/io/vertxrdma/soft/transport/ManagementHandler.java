package io.vertxrdma.soft.transport;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Takes the management datagrams that arrive on queue pair 1. */
@FunctionalInterface
public interface ManagementHandler {

  /**
   * One management datagram whose Q_Key was right; called inside {@link Engine#execute}.
   *
   * @param source where it came from
   * @param sourceQueuePairNumber the sender's queue pair, normally 1
   * @param mad its 256 bytes, big-endian, valid during the call only
   */
  void datagram(InetAddress source, int sourceQueuePairNumber, ByteBuffer mad);
}
