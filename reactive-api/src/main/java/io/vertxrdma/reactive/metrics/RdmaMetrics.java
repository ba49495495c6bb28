package io.vertxrdma.reactive.metrics;

import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.DeviceEvent;

/**
 * Takes what servers, clients, connections and datagram sockets count and time; does nothing unless
 * overridden.
 *
 * <p>Called on the event loops of the connections, by several of them at once: an implementation is
 * thread-safe, does not block and does not throw. Nothing is allocated for a call on the data path,
 * and such a call comes once for a batch of completions, not for each. Times are nanoseconds.
 */
public interface RdmaMetrics {

  /** Takes nothing. */
  RdmaMetrics NONE = new RdmaMetrics() {};

  /** A connection manager event came to a server or a client. */
  default void cmEvent(CmEventType type) {}

  /** Something happened to a device; once for each server and client that hears of it. */
  default void deviceEvent(DeviceEvent.Kind kind) {}

  /** A peer asks for a connection. */
  default void connectRequested() {}

  /**
   * An attempt to connect to an address, or an accept, has ended. A request that was rejected or
   * never answered counts as one as well.
   *
   * @param role ACTIVE for the side that connects
   * @param outcome how
   * @param reason for {@link ConnectOutcome#REJECTED} at the active side the peer's code, see
   *     {@link io.vertxrdma.core.RejectReason}; otherwise the code of the failure, an errno or
   *     event status; 0 for none
   * @param nanos from the beginning to the end
   */
  default void connectEnded(Role role, ConnectOutcome outcome, int reason, long nanos) {}

  /** A step of connecting has ended well. */
  default void stepEnded(ConnectStep step, long nanos) {}

  /**
   * A parameter was lowered to what device and peer allow.
   *
   * @param field the property of {@link io.vertxrdma.cm.ConnectionParameters}
   */
  default void clamped(String field) {}

  /**
   * The check of what a peer announced found something that will hurt later.
   *
   * @param kind which kind of finding
   */
  default void alignmentFinding(String kind) {}

  /** This side rejected a request. */
  default void requestRejected() {}

  /** A connection stands. */
  default void connectionOpened(Role role) {}

  /**
   * A connection that stood has ended.
   *
   * @param failed whether it broke; false when one of the sides closed it
   * @param nanos how long it stood
   */
  default void connectionClosed(Role role, boolean failed, long nanos) {}

  /**
   * Work requests completed.
   *
   * @param receive whether they were receives
   * @param status with which status; RNR_RETRY_EXC_ERR and RETRY_EXC_ERR are those of a peer that
   *     was not ready or not there
   * @param count how many in this batch, 1 or more
   */
  default void completions(boolean receive, WorkCompletionStatus status, int count) {}

  /**
   * Receives posted now and not used up have changed by that much, over all connections and
   * datagram sockets.
   */
  default void receivesPosted(int change) {}

  /**
   * The posted receives of a connection or datagram socket fell to or below a quarter of its
   * receive depth, and stayed there when all that could be was handed over: the application reads
   * more slowly than the peer sends.
   *
   * @param posted how many are left; 0 means that a connection's peer has to wait (RNR) and that
   *     datagrams are lost
   */
  default void receivesLow(int posted) {}

  /**
   * Send operations have changed by that much, over all connections and datagram sockets.
   *
   * @param queued change of those posted and not completed
   * @param waiting change of those that wait for room in the send queue
   */
  default void sends(int queued, int waiting) {}
}
