package io.vertxrdma.benchmarks;

import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue pair of the stub: counts its receives, all of which have the same id. */
final class StubQueuePair implements QueuePair {

  private final int number;
  private final QueuePairCapabilities capabilities;
  private final Runnable wake;
  private int posted;
  private long receiveId;
  private boolean ending;
  private final AtomicInteger flushed = new AtomicInteger();

  StubQueuePair(int number, QueuePairCapabilities capabilities, Runnable wake) {
    this.number = number;
    this.capabilities = capabilities;
    this.wake = wake;
  }

  long receiveId() {
    return receiveId;
  }

  boolean takeReceive() {
    if (posted == 0) {
      return false;
    }
    posted--;
    return true;
  }

  /** Adds what the end of the queue pair flushes, as far as it fits; false if there is nothing. */
  boolean fillIfEnding(StubCompletions completions) {
    if (!ending || posted == 0) {
      return false;
    }
    while (posted > 0 && completions.size() < completions.capacity()) {
      completions.addFlushed(receiveId, number);
      posted--;
    }
    return true;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public QueuePairType type() {
    return QueuePairType.RC;
  }

  @Override
  public QueuePairCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public QueuePairAttributes query() {
    return new QueuePairAttributes(QueuePairState.RTS, 4096, number, 0, 0, 0, 14, 7, 7);
  }

  @Override
  public void setMinRnrTimer(int code) {}

  @Override
  public void toError() {
    if (flushed.compareAndSet(0, 1)) {
      ending = true;
      wake.run();
    }
  }

  @Override
  public SendBatch allocateSendBatch(int capacity, int scatterGather) {
    return new Sends(capacity);
  }

  @Override
  public ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather) {
    return new Receives(capacity);
  }

  @Override
  public void close() {}

  private final class Receives implements ReceiveBatch {

    private final int capacity;
    private int size;
    private int taken;

    Receives(int capacity) {
      this.capacity = capacity;
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
    public void clear() {
      size = 0;
    }

    @Override
    public void add(long workRequestId) {
      receiveId = workRequestId;
      size++;
    }

    @Override
    public void addScatterGather(long address, int length, int localKey) {}

    @Override
    public int post() {
      posted += size;
      taken = size;
      return 0;
    }

    @Override
    public int posted() {
      return taken;
    }

    @Override
    public void close() {}
  }

  private static final class Sends implements SendBatch {

    private final int capacity;

    Sends(int capacity) {
      this.capacity = capacity;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public void clear() {}

    @Override
    public void add(
        long workRequestId,
        SendOpcode opcode,
        int flags,
        int immediate,
        long remoteAddress,
        int remoteKey) {
      throw new UnsupportedOperationException("the stub only receives");
    }

    @Override
    public void addScatterGather(long address, int length, int localKey) {}

    @Override
    public void setAtomicOperands(long compareOrAdd, long swap) {}

    @Override
    public void setUdAddress(AddressHandle handle, int queuePairNumber, int queueKey) {}

    @Override
    public int post() {
      return 0;
    }

    @Override
    public int posted() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
