package io.vertxrdma.demos.logsync;

import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.reactivestreams.Subscription;

/**
 * One client at the server: takes segments in groups, has each group written on a worker, and tells
 * the client up to which segment all are durable. On the connection's event loop.
 *
 * <p>It asks for no more immediates than a group: those beyond wait in their receives until the
 * group is on disk. So what a client may have under way is what it needs receives for.
 */
final class LogSession implements FlowableSubscriber<Immediate> {

  /** Segments that are made durable together, at most. */
  static final int GROUP = 64;

  private final Vertx vertx;
  private final RdmaConnection connection;
  private final RegisteredBuffer slots;
  private final int slotSize;
  private final StoredLog log;
  private final ReceiveWindow window;
  private final ServerFigures figures;
  private final int group;
  private final Promise<Throwable> ended = Promise.promise();
  private Subscription subscription;
  private Throwable failure;
  private boolean writing;
  private boolean scheduled;
  private boolean acknowledging;
  private boolean over;
  private long toAcknowledge;
  private boolean due;

  /**
   * A session that has not begun.
   *
   * @param slots the memory the client writes to
   * @param log which it closes in the end
   */
  LogSession(
      Vertx vertx,
      RdmaConnection connection,
      RegisteredBuffer slots,
      Greeting.Welcome welcome,
      StoredLog log,
      ServerFigures figures) {
    this.vertx = vertx;
    this.connection = connection;
    this.slots = slots;
    this.slotSize = welcome.slotSize();
    this.log = log;
    this.window = new ReceiveWindow(welcome.nextSequence(), welcome.slots(), slotSize);
    this.figures = figures;
    // Smaller than the window, or the client would have to wait for each group.
    this.group = Math.max(1, Math.min(GROUP, welcome.slots() / 2));
  }

  /**
   * Begins.
   *
   * @return completes, with what went wrong or null, when the connection has ended and nothing of
   *     this session is left, neither memory nor open files
   */
  Future<Throwable> start() {
    connection.exceptionHandler(this::failed);
    connection.closeHandler(closed -> connectionEnded());
    connection.immediates().subscribe(this);
    return ended.future();
  }

  /** Ends it, for another client of the same log. */
  void close() {
    connection.close();
  }

  @Override
  public void onSubscribe(Subscription granted) {
    subscription = granted;
    granted.request(group);
  }

  @Override
  public void onNext(Immediate immediate) {
    try {
      window.arrived(immediate.value(), immediate.byteLength());
    } catch (RuntimeException violation) {
      figures.violation();
      failed(violation);
      subscription.cancel();
      connection.close();
      return;
    }
    if (!writing && !scheduled) {
      scheduled = true;
      // Not at once: what else comes in this turn of the loop belongs to the group.
      vertx.getOrCreateContext().runOnContext(turn -> write());
    }
  }

  @Override
  public void onError(Throwable broken) {
    failed(broken);
  }

  @Override
  public void onComplete() {
    // The close handler does what is to be done.
  }

  private void write() {
    scheduled = false;
    int count = window.waiting();
    if (over || writing || count == 0) {
      return;
    }
    writing = true;
    int[] offsets = new int[count];
    int[] lengths = new int[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = window.slot(i) * slotSize;
      lengths[i] = window.length(i);
    }
    blocking(() -> append(offsets, lengths))
        .onComplete(
            done -> {
              writing = false;
              if (done.failed()) {
                failed(done.cause());
                connection.close();
              } else {
                durable(count, done.result());
              }
              endIfOver();
            });
  }

  /** On a worker. The bytes are copied first: a peer could still change what lies in its slots. */
  private long append(int[] offsets, int[] lengths) throws IOException {
    int total = 0;
    for (int length : lengths) {
      total += length;
    }
    byte[] bytes = new byte[total];
    int at = 0;
    for (int i = 0; i < lengths.length; i++) {
      System.arraycopy(slots.getBytes(offsets[i], lengths[i]), 0, bytes, at, lengths[i]);
      at += lengths[i];
    }
    log.append(bytes, lengths);
    return total;
  }

  private void durable(int count, long bytes) {
    toAcknowledge = window.durable(count);
    due = true;
    figures.durable(count, bytes);
    // First the receives, then the word that slots are free: what is written to them finds one.
    subscription.request(count);
    acknowledge();
    write();
  }

  /** One acknowledgement is under way at most; the next one says what has come together since. */
  private void acknowledge() {
    if (acknowledging || !due || !connection.isOpen()) {
      return;
    }
    acknowledging = true;
    due = false;
    connection
        .writeImmediate(toAcknowledge)
        .onComplete(
            done -> {
              acknowledging = false;
              // A failure ends the connection, which says so itself.
              if (done.succeeded()) {
                acknowledge();
              }
            });
  }

  private void failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  private void connectionEnded() {
    over = true;
    figures.ended(connection.counters());
    endIfOver();
  }

  private void endIfOver() {
    if (!over || writing) {
      return;
    }
    slots
        .close()
        .eventually(
            () ->
                blocking(
                    () -> {
                      log.close();
                      return null;
                    }))
        .onComplete(
            done -> {
              if (done.failed()) {
                failed(done.cause());
              }
              ended.tryComplete(failure);
            });
  }

  /** Logs don't wait for each other. */
  private <T> Future<T> blocking(Callable<T> work) {
    return vertx.executeBlocking(work, false);
  }

  /** Receives that were used up so far. */
  long receivesExhausted() {
    return over ? 0 : connection.counters().receivesExhausted();
  }

  StoredLog log() {
    return log;
  }
}
