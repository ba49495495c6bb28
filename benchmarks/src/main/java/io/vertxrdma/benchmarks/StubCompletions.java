package io.vertxrdma.benchmarks;

import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;

/** A batch of receive completions of the stub's device. */
final class StubCompletions implements WorkCompletions {

  private static final int WITH_IMMEDIATE = 2;

  private final long[] ids;
  private final int[] numbers;
  private final int[] immediates;
  private final int[] statuses;
  private int size;

  StubCompletions(int capacity) {
    ids = new long[capacity];
    numbers = new int[capacity];
    immediates = new int[capacity];
    statuses = new int[capacity];
  }

  void clear() {
    size = 0;
  }

  void add(long id, int queuePairNumber, int immediate) {
    ids[size] = id;
    numbers[size] = queuePairNumber;
    immediates[size] = immediate;
    statuses[size] = 0;
    size++;
  }

  void addFlushed(long id, int queuePairNumber) {
    add(id, queuePairNumber, 0);
    statuses[size - 1] = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();
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
    throw new UnsupportedOperationException("the stub has no datagrams");
  }

  @Override
  public long workRequestId(int index) {
    return ids[index];
  }

  @Override
  public int status(int index) {
    return statuses[index];
  }

  @Override
  public int opcode(int index) {
    return WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
  }

  @Override
  public int vendorError(int index) {
    return 0;
  }

  @Override
  public int byteLength(int index) {
    return 0;
  }

  @Override
  public int flags(int index) {
    return WITH_IMMEDIATE;
  }

  @Override
  public int immediate(int index) {
    return immediates[index];
  }

  @Override
  public int queuePairNumber(int index) {
    return numbers[index];
  }

  @Override
  public int sourceQueuePair(int index) {
    return 0;
  }
}
