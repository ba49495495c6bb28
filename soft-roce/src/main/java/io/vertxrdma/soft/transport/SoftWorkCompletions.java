package io.vertxrdma.soft.transport;

import io.vertxrdma.core.WorkCompletions;
import java.util.Objects;

/** A batch of work completions in plain arrays. */
final class SoftWorkCompletions implements WorkCompletions {

  final long[] ids;
  final int[] statuses;
  final int[] opcodes;
  final int[] byteLengths;
  final int[] flags;
  final int[] immediates;
  final int[] numbers;
  final int[] sources;
  private int size;

  SoftWorkCompletions(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more, was " + capacity);
    }
    ids = new long[capacity];
    statuses = new int[capacity];
    opcodes = new int[capacity];
    byteLengths = new int[capacity];
    flags = new int[capacity];
    immediates = new int[capacity];
    numbers = new int[capacity];
    sources = new int[capacity];
  }

  void setSize(int size) {
    this.size = size;
  }

  /** Copies one completion. */
  void copy(int from, SoftWorkCompletions target, int to) {
    target.ids[to] = ids[from];
    target.statuses[to] = statuses[from];
    target.opcodes[to] = opcodes[from];
    target.byteLengths[to] = byteLengths[from];
    target.flags[to] = flags[from];
    target.immediates[to] = immediates[from];
    target.numbers[to] = numbers[from];
    target.sources[to] = sources[from];
  }

  private int at(int index) {
    return Objects.checkIndex(index, size);
  }

  @Override
  public int capacity() {
    return ids.length;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void keep(int index, WorkCompletions from, int fromIndex) {
    if (!(from instanceof SoftWorkCompletions batch)) {
      throw new IllegalArgumentException("completions of another provider: " + from);
    }
    int source = batch.at(fromIndex);
    size = ids.length;
    batch.copy(source, this, at(index));
  }

  @Override
  public long workRequestId(int index) {
    return ids[at(index)];
  }

  @Override
  public int status(int index) {
    return statuses[at(index)];
  }

  @Override
  public int opcode(int index) {
    return opcodes[at(index)];
  }

  @Override
  public int vendorError(int index) {
    // There is no vendor.
    at(index);
    return 0;
  }

  @Override
  public int byteLength(int index) {
    return byteLengths[at(index)];
  }

  @Override
  public int flags(int index) {
    return flags[at(index)];
  }

  @Override
  public int immediate(int index) {
    return immediates[at(index)];
  }

  @Override
  public int queuePairNumber(int index) {
    return numbers[at(index)];
  }

  @Override
  public int sourceQueuePair(int index) {
    return sources[at(index)];
  }
}
