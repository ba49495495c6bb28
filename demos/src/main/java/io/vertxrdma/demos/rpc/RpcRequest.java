package io.vertxrdma.demos.rpc;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** A request at the server, with what its handler may want to know besides the body. */
public interface RpcRequest {

  /** What was asked; a copy. */
  Buffer body();

  /**
   * Milliseconds the caller will still wait, 0 or more; {@link Long#MAX_VALUE} without deadline.
   */
  long remainingMillis();

  /** Whether the caller has cancelled, its deadline has passed, or it has gone: nobody waits. */
  boolean isCancelled();

  /** Called once when that happens; at once if it has happened already. */
  RpcRequest cancelHandler(Handler<Void> handler);
}
