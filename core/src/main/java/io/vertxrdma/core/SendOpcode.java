package io.vertxrdma.core;

/** Send queue operations ({@code enum ibv_wr_opcode}). */
public enum SendOpcode {
  /** RDMA write. */
  RDMA_WRITE(0),
  /** RDMA write that uses up a receive of the peer and hands it an immediate. */
  RDMA_WRITE_WITH_IMM(1),
  /** Send. */
  SEND(2),
  /** Send with an immediate. */
  SEND_WITH_IMM(3),
  /** RDMA read. */
  RDMA_READ(4),
  /** Compare and swap 8 bytes. */
  ATOMIC_CMP_AND_SWP(5),
  /** Fetch and add 8 bytes. */
  ATOMIC_FETCH_AND_ADD(6);

  private final int code;

  SendOpcode(int code) {
    this.code = code;
  }

  /** The native number. */
  public int code() {
    return code;
  }
}
