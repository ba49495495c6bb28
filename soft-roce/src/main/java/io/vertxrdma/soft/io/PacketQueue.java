package io.vertxrdma.soft.io;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/** Packets that any thread puts and the event loop takes, all at once; bounded by their bytes. */
final class PacketQueue {

  /** A packet on its way; whoever takes it releases the bytes. */
  record Item(InetAddress destination, ByteBuf bytes, int corruptBit) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final int maxBytes;
  private ArrayDeque<Item> filling = new ArrayDeque<>();
  private ArrayDeque<Item> taken = new ArrayDeque<>();
  private int bytes;
  private boolean closed;
  private volatile boolean waiting;

  PacketQueue(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Whether something is there; cheap. */
  boolean isWaiting() {
    return waiting;
  }

  /** Puts a packet; false, and the bytes stay the caller's, when it is full or closed. */
  boolean offer(Item item) {
    lock.lock();
    try {
      int size = item.bytes.readableBytes();
      if (closed || bytes + size > maxBytes) {
        return false;
      }
      bytes += size;
      filling.add(item);
      waiting = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All that is there, in order, to be emptied before the next call; event loop only. */
  ArrayDeque<Item> take() {
    lock.lock();
    try {
      ArrayDeque<Item> full = filling;
      filling = taken;
      taken = full;
      bytes = 0;
      waiting = false;
      return full;
    } finally {
      lock.unlock();
    }
  }

  /** Releases what is there and takes no more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      filling.forEach(item -> item.bytes.release());
      filling.clear();
      waiting = false;
    } finally {
      lock.unlock();
    }
  }
}
