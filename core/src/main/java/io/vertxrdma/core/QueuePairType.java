package io.vertxrdma.core;

/** Transport services ({@code enum ibv_qp_type}). */
public enum QueuePairType {
  /** Reliable connection. */
  RC(2),
  /** Unreliable datagram. */
  UD(4);

  private final int code;

  QueuePairType(int code) {
    this.code = code;
  }

  /** The native number. */
  public int code() {
    return code;
  }
}
