package io.vertxrdma.reactive.impl;

import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful end of one connection, if it comes to that: waits until nothing is under way, for a
 * bounded time, then closes. On the event loop.
 */
final class Drain {

  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

  private final ContextInternal context;
  private final ConnectionApi connection;
  private Handler<Void> handler;
  private long millis;
  private long timer = -1;
  private boolean beginning;
  private boolean looking;
  private boolean over;
  private volatile boolean begun;

  Drain(ContextInternal context, ConnectionApi connection) {
    this.context = context;
    this.connection = connection;
  }

  /** Sets what runs when it begins. */
  void setHandler(Handler<Void> handler) {
    this.handler = handler;
  }

  /** Whether new operations are to be refused. Any thread. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * A timeout in milliseconds, rounded up.
   *
   * @throws IllegalArgumentException for a negative one
   */
  static long millis(long timeout, TimeUnit unit) {
    if (timeout < 0) {
      throw new IllegalArgumentException("timeout must be 0 or more, was " + timeout);
    }
    long millis = unit.toMillis(timeout);
    return unit.convert(millis, TimeUnit.MILLISECONDS) < timeout ? millis + 1 : millis;
  }

  /** Begins, once. */
  void begin(long atMost) {
    if (beginning) {
      return;
    }
    beginning = true;
    millis = atMost;
    if (handler != null) {
      // It may still send its last words.
      context.emit(null, handler);
    }
    begun = true;
    if (millis == 0) {
      timedOut();
      return;
    }
    timer =
        context.setTimer(
            millis,
            fired -> {
              timer = -1;
              timedOut();
            });
    lookSoon();
  }

  /** Something ended: looks whether it was the last, in a task of its own. */
  void lookSoon() {
    if (begun && !looking && !over) {
      looking = true;
      context.nettyEventLoop().execute(this::look);
    }
  }

  private void look() {
    looking = false;
    if (!over && connection.isIdle()) {
      close();
    }
  }

  private void timedOut() {
    if (over) {
      return;
    }
    if (!connection.isIdle()) {
      LOG.warn(
          "{}: {} operations still under way {} ms after shutdown; closing all the same",
          connection,
          connection.operationsUnderWay(),
          millis);
    }
    close();
  }

  private void close() {
    end();
    connection.close();
  }

  /** The connection has ended, whatever the reason. */
  void end() {
    over = true;
    if (timer != -1) {
      context.owner().cancelTimer(timer);
      timer = -1;
    }
  }
}
