package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.wire.Aeth;
import io.vertxrdma.soft.wire.RnrTimer;

/**
 * When to send again and when to give up: the acknowledgement timer, the wait for a receiver that
 * is not ready, and the two retry counts, which any progress restores.
 *
 * <p>The acknowledgement timer is not restarted by every acknowledgement or complaint; when it runs
 * out after one, it runs once more. A loss is noticed after one to two timeouts, never earlier.
 *
 * <p>A timer that runs late shows a busy event loop, on which the answer may lie unread: it proves
 * nothing, and runs once more. Only once between two retries, so that a loop that is always busy
 * notices a dead peer, too, after at most twice the time.
 */
final class RetryTimers {

  private static final int FOR_EVER = 7;

  /** Lateness that any timer may have, since their granularity is a millisecond. */
  private static final long USUAL_LATENESS_NANOS = 2_000_000;

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private final Requester requester;
  private final Runnable onTimeout;
  private final Runnable onReceiverWaited;
  private ConnectionSetup setup;
  private long timeoutNanos;
  private Timers.Timeout timeout;
  private Timers.Timeout receiverWait;
  private long timeoutDue;
  private boolean excused;
  private int waitingPsn;
  private boolean restarted;
  private boolean recovering;
  private int retriesLeft;
  private int receiverRetriesLeft;

  RetryTimers(SoftQueuePair queuePair, Requester requester) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
    this.requester = requester;
    this.onTimeout = () -> engine.execute(this::timedOut);
    this.onReceiverWaited = () -> engine.execute(this::receiverWaited);
  }

  void connect(ConnectionSetup connection) {
    setup = connection;
    timeoutNanos = RnrTimer.ackTimeoutNanos(connection.timeout());
    restoreCounts();
  }

  private void restoreCounts() {
    retriesLeft = setup.retryCount();
    receiverRetriesLeft = setup.rnrRetryCount();
  }

  /** A packet went out. */
  void sent() {
    if (timeout == null && timeoutNanos != 0) {
      restarted = false;
      timeoutDue = engine.timers().nanoTime() + timeoutNanos;
      timeout = engine.timers().schedule(timeoutNanos, onTimeout);
    }
  }

  /** Something was acknowledged. */
  void progressed(int unacknowledged) {
    restarted = true;
    recovering = false;
    excused = false;
    restoreCounts();
    if (receiverWait != null && unacknowledged != waitingPsn) {
      // A copy of the refused packet was taken after all.
      receiverWait.cancel();
      receiverWait = null;
    }
  }

  /** Whether the peer has asked to wait and the time isn't over. */
  boolean isWaitingForReceiver() {
    return receiverWait != null;
  }

  /**
   * The peer misses the oldest packet, or we miss its answer. Starts sending again only if nothing
   * has since the last progress: a complaint that comes after that is about the packet before it
   * was sent again, and after a timeout that may be as late as it likes. What is lost once more is
   * left to the timer, as on rxe; so a retry is never counted before the one before it had its
   * time.
   */
  void lost() {
    if (!recovering && !isWaitingForReceiver()) {
      requester.congestion().packetLost();
      again();
    }
  }

  private void again() {
    if (retriesLeft == 0) {
      engine.counters().increment(SoftCounters.Name.RETRY_EXCEEDED);
      queuePair.failOldest(Status.RETRY_EXCEEDED);
      return;
    }
    retriesLeft--;
    recovering = true;
    // The packets that go out now have a whole timeout, too.
    restarted = true;
    requester.goBack();
    requester.transmit();
  }

  /** The peer has no receive for the oldest packet. */
  void receiverNotReady(int syndrome) {
    if (isWaitingForReceiver()) {
      return;
    }
    engine.counters().increment(SoftCounters.Name.RECEIVED_RNR_NAK);
    if (setup.rnrRetryCount() != FOR_EVER) {
      if (receiverRetriesLeft == 0) {
        engine.counters().increment(SoftCounters.Name.RNR_RETRY_EXCEEDED);
        queuePair.failOldest(Status.RNR_RETRY_EXCEEDED);
        return;
      }
      receiverRetriesLeft--;
    }
    waitingPsn = requester.unacknowledged();
    requester.goBack();
    receiverWait =
        engine.timers().schedule(RnrTimer.nanos(Aeth.rnrTimer(syndrome)), onReceiverWaited);
  }

  private void receiverWaited() {
    // A run that was under way when it was cancelled does no harm: the peer only asks once more.
    receiverWait = null;
    restarted = true;
    requester.transmit();
  }

  private void timedOut() {
    timeout = null;
    if (!queuePair.isReady() || !requester.isAnythingOutstanding()) {
      return;
    }
    if (restarted || isWaitingForReceiver()) {
      sent();
      return;
    }
    if (!excused && isLate()) {
      excused = true;
      sent();
      return;
    }
    excused = false;
    engine.counters().increment(SoftCounters.Name.ACK_TIMEOUT);
    requester.congestion().timedOut();
    again();
    if (queuePair.isReady()) {
      sent();
    }
  }

  private boolean isLate() {
    long late = engine.timers().nanoTime() - timeoutDue;
    return late > Math.max(timeoutNanos / 4, USUAL_LATENESS_NANOS);
  }

  void stop() {
    if (timeout != null) {
      timeout.cancel();
      timeout = null;
    }
    if (receiverWait != null) {
      receiverWait.cancel();
      receiverWait = null;
    }
  }
}
