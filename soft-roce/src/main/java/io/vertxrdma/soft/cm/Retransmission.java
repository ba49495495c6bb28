package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.io.Timers.Timeout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Sends a message again and again until it is answered or nobody does. One message at a time. */
final class Retransmission {

  private final CmAgent agent;
  private final InetAddress destination;
  private ByteBuffer message;
  private long intervalMillis;
  private int retriesLeft;
  private Runnable exhausted;
  private Timeout timeout;

  /** Which arming of the timer counts: one may have fired and wait for the lock. */
  private int round;

  Retransmission(CmAgent agent, InetAddress destination) {
    this.agent = agent;
    this.destination = destination;
  }

  /** Sends a message for the first time; instead of another one if there is one. */
  void start(ByteBuffer message, long intervalMillis, int retries, Runnable exhausted) {
    stop();
    this.message = message;
    this.intervalMillis = intervalMillis;
    this.retriesLeft = retries;
    this.exhausted = exhausted;
    agent.send(destination, message.duplicate());
    arm();
  }

  /** The peer asks for patience: waits that long, from now on, before each retry. */
  void extend(long millis) {
    if (message != null) {
      intervalMillis = millis;
      timeout.cancel();
      arm();
    }
  }

  void stop() {
    if (message != null) {
      timeout.cancel();
      message = null;
      exhausted = null;
      round++;
    }
  }

  private void arm() {
    int armed = ++round;
    timeout =
        agent
            .port()
            .timers()
            .schedule(
                TimeUnit.MILLISECONDS.toNanos(intervalMillis),
                () -> agent.port().execute(() -> expired(armed)));
  }

  private void expired(int armed) {
    if (round != armed || message == null) {
      return;
    }
    if (retriesLeft == 0) {
      Runnable end = exhausted;
      stop();
      end.run();
      return;
    }
    retriesLeft--;
    agent.port().counters().increment(Name.CM_RETRIES);
    agent.send(destination, message.duplicate());
    arm();
  }
}
