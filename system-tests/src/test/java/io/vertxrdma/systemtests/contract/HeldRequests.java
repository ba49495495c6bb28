package io.vertxrdma.systemtests.contract;

import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The connect requests of a server, held until the test answers them. */
final class HeldRequests {

  private final BlockingQueue<ConnectRequest> queue = new LinkedBlockingQueue<>();

  /** Takes the requests of a server that does not listen yet. */
  HeldRequests(RdmaServer server) {
    server.connectRequestHandler(queue::add);
  }

  /** The next one, once it has come. */
  ConnectRequest next() {
    try {
      ConnectRequest next = queue.poll(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("no connect request came");
      }
      return next;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** Requests that came and were not taken. */
  int count() {
    return queue.size();
  }
}
