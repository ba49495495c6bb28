package io.vertxrdma.demos.logsync;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.demos.logsync.Greeting.Welcome;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.WorkRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Ships a log over one connection, from where the server has it to the end of the file. On the
 * connection's event loop; the file is read on a worker.
 */
final class Shipping {

  /** Segments that are read and posted together, at most. */
  private static final int BATCH = 512;

  private final Vertx vertx;
  private final RdmaConnection connection;
  private final Welcome welcome;
  private final LogSource source;
  private final RegisteredBuffer slots;
  private final ClientFigures figures;
  private final SendWindow window;
  private final PauseMeter pauses = new PauseMeter();
  private final Promise<Void> done = Promise.promise();
  // Bytes of the segments that wait, by slot.
  private final int[] lengths;
  private long acknowledged;
  private Future<int[]> read = Future.succeededFuture();
  private boolean reading;
  private boolean atEnd;

  private Shipping(
      Vertx vertx,
      RdmaConnection connection,
      Welcome welcome,
      LogSource source,
      RegisteredBuffer slots,
      ClientFigures figures) {
    this.vertx = vertx;
    this.connection = connection;
    this.welcome = welcome;
    this.source = source;
    this.slots = slots;
    this.figures = figures;
    this.window = new SendWindow(welcome.nextSequence(), welcome.slots());
    this.lengths = new int[welcome.slots()];
  }

  /**
   * Ships what is left.
   *
   * @param source which it closes in the end
   * @return completes when all is durable; fails when the file can't be read, the server breaks the
   *     rules, or the connection ends
   */
  static Future<Void> over(
      Vertx vertx,
      RdmaConnection connection,
      Welcome welcome,
      LogSource source,
      ClientFigures figures) {
    return allocate(connection, welcome)
        .compose(
            slots -> {
              Shipping shipping = new Shipping(vertx, connection, welcome, source, slots, figures);
              return shipping.start().eventually(slots::close);
            })
        .eventually(
            () ->
                vertx.executeBlocking(
                    () -> {
                      source.close();
                      return null;
                    },
                    false));
  }

  private static Future<RegisteredBuffer> allocate(RdmaConnection connection, Welcome welcome) {
    try {
      return connection.memory().allocate(welcome.slots() * welcome.slotSize());
    } catch (IllegalStateException closed) {
      return Future.failedFuture(new LostConnection(closed.getMessage()));
    }
  }

  private Future<Void> start() {
    Throwable[] cause = {new LostConnection("the connection ended before all was durable")};
    connection.exceptionHandler(failure -> cause[0] = new LostConnection(failure.getMessage()));
    Disposable acknowledgements =
        connection
            .immediates()
            .subscribe(
                this::acknowledged,
                failure -> done.tryFail(new LostConnection(failure.getMessage())));
    connection.closeHandler(closed -> done.tryFail(cause[0]));
    fill();
    return done.future()
        .eventually(
            () -> {
              acknowledgements.dispose();
              figures.pause(pauses.longest());
              // Its memory and its file must not go before.
              return read.otherwiseEmpty();
            });
  }

  private void acknowledged(Immediate immediate) {
    try {
      int newly = window.acknowledged(immediate.value());
      long bytes = 0;
      for (int i = 0; i < newly; i++) {
        bytes += lengths[(int) (acknowledged++ % lengths.length)];
      }
      figures.durable(newly, bytes);
    } catch (ProtocolException violation) {
      done.tryFail(violation);
      return;
    }
    fill();
  }

  /** Reads into the slots that are free, and posts. */
  private void fill() {
    if (atEnd && window.isIdle()) {
      done.tryComplete();
    }
    int count = Math.min(BATCH, window.free());
    if (reading || atEnd || count == 0 || done.future().isComplete()) {
      return;
    }
    // Not known from the future: that completes before its handler runs.
    reading = true;
    int[] offsets = new int[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = window.slot(i) * welcome.slotSize();
    }
    read = vertx.executeBlocking(() -> source.read(slots, offsets, welcome.slotSize()), false);
    read.onSuccess(this::post).onFailure(done::tryFail);
  }

  private void post(int[] read) {
    reading = false;
    if (done.future().isComplete()) {
      return;
    }
    List<WorkRequest> writes = new ArrayList<>(read.length);
    for (int length : read) {
      atEnd |= length < welcome.slotSize();
      if (length > 0) {
        int ahead = writes.size();
        int slot = window.slot(ahead);
        lengths[slot] = length;
        writes.add(
            WorkRequest.writeWithImmediate(
                welcome.slot(slot, length),
                window.sequence(ahead),
                slots.slice(slot * welcome.slotSize(), length)));
      }
    }
    window.sent(writes.size());
    try {
      pauses.posted(writes.size(), System.nanoTime());
      for (Future<Void> written : connection.postAll(writes)) {
        written.onComplete(result -> pauses.completed(System.nanoTime()));
      }
    } catch (IllegalStateException closed) {
      done.tryFail(new LostConnection(closed.getMessage()));
      return;
    }
    fill();
  }
}
