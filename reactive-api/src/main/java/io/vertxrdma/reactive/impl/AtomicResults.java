package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RegisteredBuffer.Slice;
import io.vertxrdma.reactive.WorkRequest;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Registered cells of 8 bytes for the results of atomic operations, by the page. Any thread.
 *
 * <p>A cell is taken for an operation and given back when the operation has ended, so that no
 * device can write to it any more.
 */
final class AtomicResults {

  private static final int PAGE = 4096;

  private final MemoryImpl memory;
  private final ArrayDeque<Slice> free = new ArrayDeque<>();

  /** Makes the operation for a cell. */
  interface Request {
    WorkRequest into(Slice result);
  }

  AtomicResults(MemoryImpl memory) {
    this.memory = memory;
  }

  /** Posts the operation; the promise gets what was there before. */
  Future<Long> run(RdmaConnection connection, Promise<Long> promise, Request request) {
    Slice cell = take();
    if (cell == null) {
      memory
          .allocate(PAGE)
          .onSuccess(page -> postInto(add(page), connection, promise, request))
          .onFailure(promise::fail);
    } else {
      post(cell, connection, promise, request);
    }
    return promise.future();
  }

  private void postInto(
      Slice cell, RdmaConnection connection, Promise<Long> promise, Request request) {
    try {
      post(cell, connection, promise, request);
    } catch (RuntimeException refused) {
      // Too late to throw it at the caller.
      promise.fail(refused);
    }
  }

  private void post(Slice cell, RdmaConnection connection, Promise<Long> promise, Request request) {
    Future<Void> posted;
    try {
      posted = connection.post(request.into(cell));
    } catch (RuntimeException refused) {
      giveBack(cell);
      throw refused;
    }
    posted.onComplete(
        done -> {
          if (done.succeeded()) {
            // The device turns it around: it is in this machine's byte order.
            long before =
                cell.buffer().byteBuffer().order(ByteOrder.nativeOrder()).getLong(cell.offset());
            giveBack(cell);
            promise.complete(before);
          } else {
            giveBack(cell);
            promise.fail(done.cause());
          }
        });
  }

  private synchronized Slice take() {
    return free.poll();
  }

  private synchronized void giveBack(Slice cell) {
    free.push(cell);
  }

  private synchronized Slice add(RegisteredBuffer page) {
    for (int offset = Long.BYTES; offset < PAGE; offset += Long.BYTES) {
      free.add(page.slice(offset, Long.BYTES));
    }
    return page.slice(0, Long.BYTES);
  }
}
