package io.vertxrdma.core;

/** Opcodes of successful completions ({@code enum ibv_wc_opcode}); plain ints for the hot path. */
public final class WorkCompletionOpcode {
  /** A send. */
  public static final int SEND = 0;

  /** A write, with or without immediate. */
  public static final int RDMA_WRITE = 1;

  /** A read. */
  public static final int RDMA_READ = 2;

  /** A compare-and-swap. */
  public static final int COMP_SWAP = 3;

  /** A fetch-and-add. */
  public static final int FETCH_ADD = 4;

  /** A receive. */
  public static final int RECV = 128;

  /** A receive used up by the peer's write with immediate. */
  public static final int RECV_RDMA_WITH_IMM = 129;

  private WorkCompletionOpcode() {}
}
