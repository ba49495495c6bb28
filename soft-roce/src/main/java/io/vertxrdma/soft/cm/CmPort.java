package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.io.Timers;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** What connection management needs of its device: queue pair 1, the device lock, time. */
public interface CmPort {

  /** The device's address. */
  InetAddress localAddress();

  /** Runs a task under the device lock. */
  void execute(Runnable task);

  /** Sends 256 bytes to queue pair 1 of another address. Called under the device lock. */
  void send(InetAddress destination, ByteBuffer mad);

  /** The device's timers; their tasks don't hold the lock. */
  Timers timers();

  /** The largest path MTU the device can use, as the code 1..5 of 256..4096. */
  int maxPathMtuCode();

  /**
   * Is told when the device gets its first connection, and when it has lost its last. Called under
   * the device lock.
   */
  default void connectionsExist(boolean any) {}

  /** The device's counters. */
  SoftCounters counters();
}
