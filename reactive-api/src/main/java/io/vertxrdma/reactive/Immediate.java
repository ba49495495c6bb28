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

  /**
   * Makes an immediate.
   *
   * @param connection on which it came
   * @param value the 32 bits, in host order
   * @param byteLength bytes the write placed before it, unsigned
   */
  public Immediate(RdmaConnection connection, int value, int byteLength) {
    this.connection = Objects.requireNonNull(connection, "connection");
    this.value = value;
    this.byteLength = byteLength;
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

  @Override
  public String toString() {
    return String.format("immediate 0x%08x with %d bytes", value, byteLength());
  }
}
