package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import io.vertxrdma.reactive.RingProtocolException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The writing half of a ring channel: messages wait here until the peer has a free slot. What
 * applications call may come from any thread; the rest is confined to the event loop.
 */
final class RingWriter {

  /** Memory that messages are copied to, unless a single one is larger. */
  private static final int STAGING_BYTES = 4 << 20;

  private final LoopEndpoint endpoint;
  private final RdmaConnection connection;
  private final RingDescriptor peer;
  private final RingFormat format;
  private final Consumer<Throwable> fail;
  private final AtomicInteger unfinished = new AtomicInteger();
  private final Queue<Message> handedIn = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Message> waiting = new ArrayDeque<>();
  private final int stagingSlots;
  private RegisteredBuffer staging;
  private boolean stagingAskedFor;
  private long staged;
  private long stagedUnfinished;
  private long sent;
  private long givenBack;
  private boolean pumping;
  private Throwable over;
  private Handler<Void> drainHandler;
  private boolean wasFull;
  private volatile int freeSlots;
  private volatile int maxSize;

  /** One message: bytes to be copied, or a slice that is sent as it is. */
  private record Message(Buffer bytes, RegisteredBuffer.Slice slice, Promise<Void> promise) {}

  /**
   * A writer to a ring that is empty.
   *
   * @param fail ends the channel
   */
  RingWriter(
      LoopEndpoint endpoint,
      RdmaConnection connection,
      RingDescriptor peer,
      RingFormat format,
      Consumer<Throwable> fail) {
    this.endpoint = endpoint;
    this.connection = connection;
    this.peer = peer;
    this.format = format;
    this.fail = fail;
    this.stagingSlots = Math.max(1, Math.min(peer.slots(), STAGING_BYTES / peer.slotSize()));
    this.freeSlots = peer.slots();
    this.maxSize = (int) Math.min(Integer.MAX_VALUE, 2L * peer.slots());
  }

  Future<Void> write(Buffer bytes) {
    checkLength(bytes.length());
    return enqueue(bytes, null);
  }

  Future<Void> write(RegisteredBuffer.Slice slice) {
    checkLength(slice.length());
    return enqueue(null, slice);
  }

  private void checkLength(int length) {
    if (length > peer.slotSize()) {
      throw new IllegalArgumentException(
          "a message has at most " + peer.slotSize() + " bytes, the peer's slot, was " + length);
    }
  }

  private Future<Void> enqueue(Buffer bytes, RegisteredBuffer.Slice slice) {
    Promise<Void> promise = endpoint.promise();
    unfinished.incrementAndGet();
    Message message = new Message(bytes, slice, promise);
    handedIn.add(message);
    try {
      endpoint.run(this::takeHandedIn);
    } catch (RejectedExecutionException loopEnded) {
      // Vert.x is closed, and the connection with it: nobody is left to end the message later.
      if (handedIn.remove(message)) {
        unfinished.decrementAndGet();
        promise.fail(loopEnded);
      }
    }
    return promise.future();
  }

  /** In the order of the calls, also when the last one came from the event loop itself. */
  private void takeHandedIn() {
    Message message;
    while ((message = handedIn.poll()) != null) {
      waiting.add(message);
    }
    pump();
  }

  /** Sends what there is room for. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (!waiting.isEmpty() && (over != null || (freeSlots > 0 && isReady(waiting.peek())))) {
        Message next = waiting.poll();
        if (over != null) {
          end(next, over);
        } else {
          send(next);
        }
      }
    } finally {
      pumping = false;
    }
  }

  private boolean isReady(Message message) {
    if (message.bytes == null || message.bytes.length() == 0) {
      return true;
    }
    if (!stagingAskedFor) {
      stagingAskedFor = true;
      allocateStaging();
    }
    return staging != null && stagedUnfinished < stagingSlots;
  }

  private void allocateStaging() {
    Future<RegisteredBuffer> asked;
    try {
      asked = connection.memory().allocate(stagingSlots * peer.slotSize());
    } catch (RuntimeException refused) {
      asked = Future.failedFuture(refused);
    }
    asked.onComplete(
        done ->
            endpoint.run(
                () -> {
                  if (done.failed()) {
                    fail.accept(done.cause());
                  } else if (over != null) {
                    done.result().close();
                  } else {
                    staging = done.result();
                    pump();
                  }
                }));
  }

  private void send(Message message) {
    RegisteredBuffer.Slice source = message.slice;
    boolean copied = message.bytes != null && message.bytes.length() > 0;
    int slot = (int) (sent % peer.slots());
    Future<Void> outcome;
    try {
      if (copied) {
        // Free again: writes end in order, and fewer than there are places are unfinished.
        int place = (int) (staged % stagingSlots) * peer.slotSize();
        staging.setBuffer(place, message.bytes);
        source = staging.slice(place, message.bytes.length());
      }
      outcome =
          connection.writeWithImmediate(
              source, source == null ? null : peer.slot(slot), format.message(slot));
    } catch (RuntimeException refused) {
      // Nothing was sent: the slot is for the next one.
      end(message, refused);
      return;
    }
    if (copied) {
      staged++;
      stagedUnfinished++;
    }
    sent++;
    freeSlots = peer.slots() - (int) (sent - givenBack);
    outcome.onComplete(done -> endpoint.run(() -> sent(message, copied, done.cause())));
  }

  private void sent(Message message, boolean copied, Throwable failure) {
    if (copied) {
      stagedUnfinished--;
    }
    end(message, failure);
    if (failure == null) {
      pump();
    } else {
      // In a task of its own: when the connection is failing, it is the one to say why.
      endpoint.context().nettyEventLoop().execute(() -> failUnlessClosed(failure));
    }
  }

  private void failUnlessClosed(Throwable failure) {
    if (over == null && connection.isOpen()) {
      // The peer waits for a message in this slot, which will never come.
      endpoint.run(() -> fail.accept(failure));
    }
  }

  private void end(Message message, Throwable failure) {
    int left = unfinished.decrementAndGet();
    if (failure == null) {
      message.promise.complete();
    } else {
      message.promise.fail(failure);
    }
    tellIfDrained(left);
  }

  private void tellIfDrained(int left) {
    if (wasFull && left <= maxSize / 2) {
      wasFull = false;
      if (drainHandler != null) {
        endpoint.context().emit(null, drainHandler);
      }
    }
  }

  /**
   * The peer gives slots back.
   *
   * @throws RingProtocolException when it gives back what it does not have
   */
  void credit(long count) {
    long unread = sent - givenBack;
    if (count < 1 || count > unread) {
      throw new RingProtocolException(
          "the peer gave back " + count + " slots of its ring, it has " + unread + " messages");
    }
    givenBack += count;
    freeSlots = peer.slots() - (int) (sent - givenBack);
    pump();
  }

  /** The channel has ended: what waits fails with the reason. */
  void end(Throwable reason) {
    over = reason;
    pump();
    if (staging != null) {
      // Given back when the last write that uses it has ended.
      staging.close();
    }
  }

  boolean isFull() {
    boolean full = unfinished.get() >= maxSize;
    if (full) {
      endpoint.run(
          () -> {
            wasFull = true;
            // It may have drained since, and who was told that it is full waits for the handler.
            tellIfDrained(unfinished.get());
          });
    }
    return full;
  }

  void setMaxSize(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more, was " + most);
    }
    maxSize = most;
  }

  void setDrainHandler(Handler<Void> handler) {
    endpoint.run(() -> drainHandler = handler);
  }

  int freeSlots() {
    return freeSlots;
  }
}
