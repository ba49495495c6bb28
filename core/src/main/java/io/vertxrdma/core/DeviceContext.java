package io.vertxrdma.core;

import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * An opened device ({@code struct ibv_context}). It lives as long as its provider; there is nothing
 * to close. Creating objects on it is blocking (system calls, up to milliseconds).
 */
public interface DeviceContext {

  /** The device's name, for example {@code rxe0} or {@code mlx5_0}. */
  String name();

  /** The driver behind it, as far as it can be known, for example {@code rxe}; else "". */
  String driver();

  /** The link technology. */
  TransportType transport();

  /** What the device can do; read once. */
  DeviceAttributes attributes();

  /** The present state of a port, numbered from 1. */
  PortAttributes queryPort(int port);

  /** The IP addresses in the GID table of a port (RoCE); those without an IP form are left out. */
  List<InetAddress> addresses(int port);

  /**
   * Reads the counters of a port. Blocking: files, up to milliseconds.
   *
   * @param port numbered from 1
   */
  PortCounters readCounters(int port);

  /** Creates a protection domain. Blocking. */
  ProtectionDomain allocateProtectionDomain();

  /** Creates a completion channel. */
  CompletionChannel createCompletionChannel();

  /**
   * Creates a completion queue. Blocking.
   *
   * @param entries 1 up to {@link DeviceAttributes#maxCompletionQueueEntries()}
   * @param channel where its events go, or null for polling only
   */
  CompletionQueue createCompletionQueue(int entries, CompletionChannel channel);

  /**
   * The device's asynchronous events; one queue per device, of which one reader takes each event.
   * Who shares the device with others hands them on.
   */
  AsyncEventQueue asyncEvents();

  /**
   * What the layer above keeps with this device, one for each class, for all who use it.
   *
   * @param type its class
   * @param maker makes it at the first call; must not ask for another one
   */
  <T> T attachment(Class<T> type, Supplier<T> maker);
}
