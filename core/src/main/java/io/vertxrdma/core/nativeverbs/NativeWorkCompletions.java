package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.WorkCompletions;
import java.util.Objects;

/** An array of {@code ibv_wc}, read where the device's driver wrote it. */
final class NativeWorkCompletions implements WorkCompletions {

  private final Memory.Arena arena;
  private final int capacity;
  private int size;

  NativeWorkCompletions(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more, was " + capacity);
    }
    this.capacity = capacity;
    this.arena = Memory.arena(Math.multiplyExact(capacity, Layout.WC_SIZE));
  }

  long address() {
    return arena.address();
  }

  /** Where one of them is. */
  long address(int index) {
    return at(index);
  }

  void setSize(int size) {
    this.size = size;
  }

  private long at(int index) {
    return arena.address() + (long) Objects.checkIndex(index, size) * Layout.WC_SIZE;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void keep(int index, WorkCompletions from, int fromIndex) {
    if (!(from instanceof NativeWorkCompletions batch)) {
      throw new IllegalArgumentException("completions of another provider: " + from);
    }
    long source = batch.at(fromIndex);
    size = capacity;
    Memory.copy(source, at(index), Layout.WC_SIZE);
  }

  @Override
  public long workRequestId(int index) {
    return Memory.getLong(at(index) + Layout.WC_WR_ID);
  }

  @Override
  public int status(int index) {
    return Memory.getInt(at(index) + Layout.WC_STATUS);
  }

  @Override
  public int opcode(int index) {
    return Memory.getInt(at(index) + Layout.WC_OPCODE);
  }

  @Override
  public int vendorError(int index) {
    return Memory.getInt(at(index) + Layout.WC_VENDOR_ERR);
  }

  @Override
  public int byteLength(int index) {
    return Memory.getInt(at(index) + Layout.WC_BYTE_LEN);
  }

  @Override
  public int flags(int index) {
    return Memory.getInt(at(index) + Layout.WC_FLAGS);
  }

  @Override
  public int immediate(int index) {
    return ImmediateData.fromNetwork(Memory.getInt(at(index) + Layout.WC_IMM_DATA));
  }

  @Override
  public int queuePairNumber(int index) {
    return Memory.getInt(at(index) + Layout.WC_QP_NUM);
  }

  @Override
  public int sourceQueuePair(int index) {
    return Memory.getInt(at(index) + Layout.WC_SRC_QP);
  }
}
