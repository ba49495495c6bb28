package io.vertxrdma.demos.rpc;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what became of a server's calls. */
final class RpcCounts {

  final AtomicLong answered = new AtomicLong();
  final AtomicLong failed = new AtomicLong();
  final AtomicLong late = new AtomicLong();
  final AtomicLong cancelled = new AtomicLong();
  final AtomicLong dropped = new AtomicLong();

  RpcServer.Counters snapshot() {
    return new RpcServer.Counters(
        answered.get(), failed.get(), late.get(), cancelled.get(), dropped.get());
  }
}
