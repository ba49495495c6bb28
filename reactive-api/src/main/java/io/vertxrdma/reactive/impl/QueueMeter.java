package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.metrics.RdmaMetrics;

/**
 * Counts the completions of one queue pair, handed on once for a batch, and what is in its queues.
 * On the loop.
 */
final class QueueMeter {

  private static final int STATUSES = WorkCompletionStatus.values().length;

  /** The share of the receive depth at which few are left. */
  private static final int LOW_PART = 4;

  private final RdmaMetrics metrics;
  private int sendSuccesses;
  private int receiveSuccesses;
  // Looked at only when something failed.
  private final int[] sendFailures = new int[STATUSES];
  private final int[] receiveFailures = new int[STATUSES];
  private boolean anyFailed;
  private boolean peersSend;
  private boolean ended;
  private int posted;
  private int queued;
  private int waiting;
  private boolean low;

  QueueMeter(RdmaMetrics metrics) {
    this.metrics = metrics;
  }

  /** From now on peers send: few receives are worth telling. */
  void peersSend() {
    peersSend = true;
  }

  /** Nothing is counted any more; what was in the queues is out of the sums. */
  void end(DataPath path) {
    batchEnd(path);
    ended = true;
    changed(0, 0, 0);
  }

  /** A work request completed. */
  void completion(boolean receive, int status) {
    if (status != WorkCompletionStatus.SUCCESS.ordinal()) {
      anyFailed = true;
      (receive ? receiveFailures : sendFailures)[Math.min(status, STATUSES - 1)]++;
    } else if (receive) {
      receiveSuccesses++;
    } else {
      sendSuccesses++;
    }
  }

  /** The completions of a batch were dealt with. */
  void batchEnd(DataPath path) {
    if (sendSuccesses != 0) {
      metrics.completions(false, WorkCompletionStatus.SUCCESS, sendSuccesses);
      sendSuccesses = 0;
    }
    if (receiveSuccesses != 0) {
      metrics.completions(true, WorkCompletionStatus.SUCCESS, receiveSuccesses);
      receiveSuccesses = 0;
    }
    if (anyFailed) {
      anyFailed = false;
      tell(false, sendFailures);
      tell(true, receiveFailures);
    }
    sample(path);
  }

  private void tell(boolean receive, int[] counts) {
    for (int status = 0; status < STATUSES; status++) {
      int count = counts[status];
      if (count != 0) {
        counts[status] = 0;
        metrics.completions(receive, WorkCompletionStatus.of(status), count);
      }
    }
  }

  /** Looks at the queues, after something was posted or completed. */
  void sample(DataPath path) {
    if (path == null || ended) {
      return;
    }
    // A shared pool counts its own.
    int now = path.usesSharedReceiveQueue() ? 0 : path.receives().posted();
    if (!path.usesSharedReceiveQueue()) {
      boolean lowNow = now <= path.receives().depth() / LOW_PART;
      if (lowNow && peersSend && (!low || now == 0 && posted != 0)) {
        metrics.receivesLow(now);
      }
      low = lowNow;
    }
    int outstanding = path.sends().outstanding();
    changed(now, outstanding, path.sends().size() - outstanding);
  }

  private void changed(int postedNow, int queuedNow, int waitingNow) {
    if (postedNow != posted) {
      metrics.receivesPosted(postedNow - posted);
      posted = postedNow;
    }
    if (queuedNow != queued || waitingNow != waiting) {
      metrics.sends(queuedNow - queued, waitingNow - waiting);
      queued = queuedNow;
      waiting = waitingNow;
    }
  }
}
