package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for every work completion, for those who look for one: at level TRACE of the logger {@code
 * io.vertxrdma.completions}.
 */
final class CompletionLog {

  private static final Logger LOG = LoggerFactory.getLogger("io.vertxrdma.completions");

  private CompletionLog() {}

  /** Whether lines are wanted; asked once for a poll. */
  static boolean isOn() {
    return LOG.isTraceEnabled();
  }

  static void log(Object owner, WorkCompletions batch, int index) {
    int status = batch.status(index);
    if (status != WorkCompletionStatus.SUCCESS.ordinal()) {
      // Of a failed completion only these three can be relied on (ibv_poll_cq(3)).
      LOG.trace(
          "{}: wr_id 0x{} {} vendor error {}",
          owner,
          Long.toHexString(batch.workRequestId(index)),
          WorkCompletionStatus.of(status),
          batch.vendorError(index));
      return;
    }
    LOG.trace(
        "{}: wr_id 0x{} {} flags {} bytes {}{}",
        owner,
        Long.toHexString(batch.workRequestId(index)),
        opcode(batch.opcode(index)),
        batch.flags(index),
        Integer.toUnsignedString(batch.byteLength(index)),
        batch.hasImmediate(index)
            ? String.format(" immediate 0x%08x", batch.immediate(index))
            : "");
  }

  private static String opcode(int opcode) {
    return switch (opcode) {
      case WorkCompletionOpcode.RECV -> "RECV";
      case WorkCompletionOpcode.RECV_RDMA_WITH_IMM -> "RECV_RDMA_WITH_IMM";
      case WorkCompletionOpcode.SEND -> "SEND";
      case WorkCompletionOpcode.RDMA_WRITE -> "RDMA_WRITE";
      case WorkCompletionOpcode.RDMA_READ -> "RDMA_READ";
      case WorkCompletionOpcode.COMP_SWAP -> "COMP_SWAP";
      case WorkCompletionOpcode.FETCH_ADD -> "FETCH_ADD";
      default -> "opcode " + opcode;
    };
  }
}
