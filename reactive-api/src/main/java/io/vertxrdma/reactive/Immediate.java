package io.vertxrdma.reactive;

import io.vertxrdma.core.ImmediateData;
import java.util.Objects;

/**
 * One immediate that a peer's RDMA write brought: an unsigned 32-bit value and what came with it.
 */
public final class Immediate {

  private final RdmaConnection connection;
  private final int value;
  private final int byteLength;
  private final long nanoTime;

  /**
   * Makes an immediate that came now.
   *
   * @param connection on which it came
   * @param value the 32 bits, in host order
   * @param byteLength bytes the write placed before it, unsigned
   */
  public Immediate(RdmaConnection connection, int value, int byteLength) {
    this(connection, value, byteLength, System.nanoTime());
  }

  /**
   * Makes an immediate.
   *
   * @param connection on which it came
   * @param value the 32 bits, in host order
   * @param byteLength bytes the write placed before it, unsigned
   * @param nanoTime when, as {@link System#nanoTime()} tells it
   */
  public Immediate(RdmaConnection connection, int value, int byteLength, long nanoTime) {
    this.connection = Objects.requireNonNull(connection, "connection");
    this.value = value;
    this.byteLength = byteLength;
    this.nanoTime = nanoTime;
  }

  /** The connection it came on. */
  public RdmaConnection connection() {
    return connection;
  }

  /** The value, 0..4294967295. */
  public long value() {
    return ImmediateData.toUnsigned(value);
  }

  /** The same 32 bits as an int, negative from 2^31 on. */
  public int intValue() {
    return value;
  }

  /** Bytes the write placed, 0..4294967295; they are visible by now. */
  public long byteLength() {
    return Integer.toUnsignedLong(byteLength);
  }

  /**
   * When its completion was polled, as {@link System#nanoTime()} tells it; the same for all of one
   * poll. What lies between this and now it has waited for demand.
   */
  public long nanoTime() {
    return nanoTime;
  }

  @Override
  public String toString() {
    return String.format("immediate 0x%08x with %d bytes", value, byteLength());
  }
}
