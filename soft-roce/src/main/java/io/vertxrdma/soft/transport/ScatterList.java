package io.vertxrdma.soft.transport;

import java.nio.ByteBuffer;

/**
 * The local memory of one work request, {@code ibv_sge} by {@code ibv_sge}; used again and again.
 */
final class ScatterList {

  // Shared, for there is one such list in each of very many requests without memory.
  private static final long[] NO_LONGS = {};
  private static final int[] NO_INTS = {};

  private long[] addresses = NO_LONGS;
  private int[] lengths = NO_INTS;
  private int[] keys = NO_INTS;
  private int count;
  private long total;

  /** Takes over elements {@code from} to {@code from + count - 1} of a batch. */
  void set(long[] fromAddresses, int[] fromLengths, int[] fromKeys, int from, int count) {
    if (count > addresses.length) {
      addresses = new long[count];
      lengths = new int[count];
      keys = new int[count];
    }
    System.arraycopy(fromAddresses, from, addresses, 0, count);
    System.arraycopy(fromLengths, from, lengths, 0, count);
    System.arraycopy(fromKeys, from, keys, 0, count);
    this.count = count;
    this.total = total(fromLengths, from, count);
  }

  /** The bytes of some elements, whose lengths are unsigned. */
  static long total(int[] lengths, int from, int count) {
    long sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += Integer.toUnsignedLong(lengths[i]);
    }
    return sum;
  }

  void clear() {
    count = 0;
    total = 0;
  }

  /** Bytes in all. */
  long total() {
    return total;
  }

  /** Whether every element lies in memory of the domain that allows the access. */
  boolean isAllowed(MemoryRegistry memory, SoftProtectionDomain domain, int access) {
    for (int i = 0; i < count; i++) {
      long length = Integer.toUnsignedLong(lengths[i]);
      if (length != 0 && memory.local(keys[i], domain, addresses[i], length, access) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Appends bytes to a buffer.
   *
   * @return 0, or the completion status of the failure
   */
  int gather(
      MemoryRegistry memory,
      SoftProtectionDomain domain,
      long offset,
      int length,
      ByteBuffer target) {
    long skip = offset;
    int left = length;
    for (int i = 0; left > 0; i++) {
      long size = Integer.toUnsignedLong(lengths[i]);
      if (skip >= size) {
        skip -= size;
        continue;
      }
      int chunk = (int) Math.min(left, size - skip);
      SoftMemoryRegion region = memory.local(keys[i], domain, addresses[i] + skip, chunk, 0);
      if (region == null) {
        return Status.LOCAL_PROTECTION;
      }
      region.get(addresses[i] + skip, target, chunk);
      left -= chunk;
      skip = 0;
    }
    return 0;
  }

  /**
   * Copies bytes into the memory. The caller has checked that they fit into {@link #total()}.
   *
   * @return 0, or the completion status of the failure
   */
  int scatter(
      MemoryRegistry memory,
      SoftProtectionDomain domain,
      long offset,
      ByteBuffer source,
      int at,
      int length) {
    long skip = offset;
    int done = 0;
    for (int i = 0; done < length; i++) {
      long size = Integer.toUnsignedLong(lengths[i]);
      if (skip >= size) {
        skip -= size;
        continue;
      }
      int chunk = (int) Math.min(length - done, size - skip);
      SoftMemoryRegion region =
          memory.local(keys[i], domain, addresses[i] + skip, chunk, Access.LOCAL_WRITE);
      if (region == null) {
        return Status.LOCAL_PROTECTION;
      }
      region.put(addresses[i] + skip, source, at + done, chunk);
      done += chunk;
      skip = 0;
    }
    return 0;
  }

  /** Copies everything into an array, whatever the keys; the caller has checked the addresses. */
  byte[] copy(MemoryRegistry memory, byte[] target) {
    byte[] bytes = target.length < total ? new byte[(int) total] : target;
    int done = 0;
    for (int i = 0; i < count; i++) {
      if (lengths[i] != 0) {
        memory.containing(addresses[i], lengths[i]).get(addresses[i], bytes, done, lengths[i]);
        done += lengths[i];
      }
    }
    return bytes;
  }
}
