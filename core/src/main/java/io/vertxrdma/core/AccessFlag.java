package io.vertxrdma.core;

/** Rights on registered memory ({@code enum ibv_access_flags}, ibv_reg_mr(3)). */
public enum AccessFlag {
  /** Receives and READ responses may be written here. */
  LOCAL_WRITE(1),
  /** The peer may write; needs LOCAL_WRITE. */
  REMOTE_WRITE(2),
  /** The peer may read. */
  REMOTE_READ(4),
  /** The peer may do atomics; needs LOCAL_WRITE. */
  REMOTE_ATOMIC(8);

  private final int bit;

  AccessFlag(int bit) {
    this.bit = bit;
  }

  /** The native bit. */
  public int bit() {
    return bit;
  }
}
