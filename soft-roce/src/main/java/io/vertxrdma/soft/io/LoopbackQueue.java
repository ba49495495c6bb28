package io.vertxrdma.soft.io;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Packets to a link's own address, which any thread puts and the event loop takes, all at once: one
 * behind the other in one buffer, each after its length in four bytes. Bounded; allocates nothing
 * per packet.
 */
final class LoopbackQueue {

  private static final int START_BYTES = 64 << 10;

  /** A buffer that a burst has made larger than this is not kept. */
  private static final int KEPT_BYTES = 1 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final ByteBufAllocator allocator;
  private final int maxBytes;
  private ByteBuf filling;
  private ByteBuf spare;
  private boolean closed;
  private volatile boolean waiting;

  LoopbackQueue(ByteBufAllocator allocator, int maxBytes) {
    this.allocator = allocator;
    this.maxBytes = maxBytes;
  }

  /** Whether something is there; cheap. */
  boolean isWaiting() {
    return waiting;
  }

  /** Copies a packet, from position to limit, which stay; false when it is full or closed. */
  boolean offer(ByteBuffer packet) {
    int length = packet.remaining();
    int at = packet.position();
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      if (filling == null) {
        filling = spare != null ? spare : allocator.directBuffer(START_BYTES, maxBytes);
        spare = null;
      }
      if (length + Integer.BYTES > maxBytes - filling.writerIndex()) {
        return false;
      }
      filling.writeInt(length).writeBytes(packet);
      packet.position(at);
      waiting = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All that is there, or null; to be given back. */
  ByteBuf take() {
    lock.lock();
    try {
      ByteBuf full = filling;
      filling = null;
      waiting = false;
      return full;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what was taken, to be filled again. */
  void giveBack(ByteBuf taken) {
    lock.lock();
    try {
      if (closed || spare != null || taken.capacity() > KEPT_BYTES) {
        taken.release();
      } else {
        spare = taken.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what is there and takes no more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      waiting = false;
      if (filling != null) {
        filling.release();
        filling = null;
      }
      if (spare != null) {
        spare.release();
        spare = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
