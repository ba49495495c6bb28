package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Posts receives in chains, each with a slot of memory where messages are expected.
 *
 * <p>Work request ids are a base plus the slot. Confined to the event loop, but for {@link #fill}
 * and {@link #close}.
 */
final class ReceivePoster implements AutoCloseable {

  /** Requests of one chain. */
  static final int CHAIN = 64;

  private static final long SLOT_MASK = (1L << 40) - 1;
  private static final int PAGE = 4096;

  private final ReceiveBatch batch;
  private final ProtectionDomain protectionDomain;
  private final int slotSize;
  private final long idBase;
  // Slots that no posted or unfinished receive has; none are kept when they have no memory.
  private final int[] freeSlots;
  private int freeCount;
  private MemoryRegion memory;
  private int posted;
  private long total;

  /**
   * Prepares it.
   *
   * @param slots receives posted or unfinished at once, at most
   * @param slotSize bytes of each; 0 for receives without memory
   * @param idBase a work request id whose lower 40 bits are 0
   */
  ReceivePoster(
      ReceiveBatch batch, ProtectionDomain protectionDomain, int slots, int slotSize, long idBase) {
    this.batch = batch;
    this.protectionDomain = protectionDomain;
    this.slotSize = slotSize;
    this.idBase = idBase;
    this.freeSlots = new int[slotSize == 0 ? 0 : slots];
    for (int slot = freeSlots.length - 1; slot >= 0; slot--) {
      freeSlots[freeCount++] = slot;
    }
  }

  /** Registers the memory of the slots. Blocking. */
  void prepare() {
    if (slotSize > 0) {
      memory = register(freeSlots.length * (long) slotSize);
    }
  }

  /** Posts the first receives. Blocking unless they have memory, which is there by now. */
  void fill(int depth) {
    int errno = post(1);
    if (errno == Errno.EINVAL.number() && memory == null) {
      // Some devices refuse a receive without memory; a write with immediate never touches it.
      memory = register(PAGE);
      errno = post(1);
    }
    while (errno == 0 && posted < depth) {
      errno = post(depth - posted);
    }
    if (errno != 0) {
      throw RdmaException.ofErrno(
          "ibv_post_recv", errno, (posted + 1) + " of " + depth + " receives");
    }
  }

  private MemoryRegion register(long size) {
    long pages = (size + PAGE - 1) / PAGE * PAGE;
    if (pages > Integer.MAX_VALUE - PAGE) {
      throw new IllegalArgumentException(
          "receives of "
              + slotSize
              + " bytes need "
              + size
              + " bytes in all, "
              + (Integer.MAX_VALUE - PAGE)
              + " are possible: lower receiveBufferSize or the number of receives");
    }
    // An aligned slice ends at a page's end too.
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) pages + PAGE).alignedSlice(PAGE);
    return protectionDomain.register(bytes.slice(0, (int) size), Set.of(AccessFlag.LOCAL_WRITE));
  }

  /** Posts up to a chain of receives; returns 0 or the errno of a refusal. */
  int post(int count) {
    batch.clear();
    int chain = Math.min(count, batch.capacity());
    for (int i = 0; i < chain; i++) {
      if (slotSize > 0) {
        int slot = freeSlots[freeCount - 1 - i];
        batch.add(idBase | slot);
        batch.addScatterGather(
            memory.address() + slot * (long) slotSize, slotSize, memory.localKey());
      } else {
        batch.add(idBase);
        if (memory != null) {
          batch.addScatterGather(memory.address(), (int) memory.length(), memory.localKey());
        }
      }
    }
    int errno = batch.post();
    int done = batch.posted();
    posted += done;
    total += done;
    if (slotSize > 0) {
      freeCount -= done;
    }
    return errno;
  }

  /** Which slot of memory a receive has. */
  static int slot(long workRequestId) {
    return (int) (workRequestId & SLOT_MASK);
  }

  boolean owns(long workRequestId) {
    return (workRequestId & ~SLOT_MASK) == idBase;
  }

  /** A posted receive completed. */
  void consumed() {
    posted--;
  }

  /** The memory of a completed receive may be posted again. */
  void freeMemory(long workRequestId) {
    if (slotSize > 0) {
      freeSlots[freeCount++] = slot(workRequestId);
    }
  }

  /** The first bytes that a receive has filled. */
  ByteBuffer memory(long workRequestId, int length) {
    if (length == 0 || slotSize == 0) {
      return ByteBuffer.allocate(0);
    }
    int slot = slot(workRequestId);
    return memory.buffer().slice(slot * slotSize, length);
  }

  int posted() {
    return posted;
  }

  long total() {
    return total;
  }

  /** Frees the chain and the memory. Blocking. */
  @Override
  public void close() {
    batch.close();
    if (memory != null) {
      memory.close();
    }
  }
}
