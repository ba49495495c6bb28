package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** A call that was begun. */
public interface RpcCall {

  /**
   * The answer. Fails with {@link RpcDeadlineException}, {@link RpcCancelledException}, {@link
   * RpcConnectionException}, or with the {@link RpcException} that the server sent.
   */
  Future<Buffer> result();

  /**
   * Takes it back, unless it has ended: {@link #result()} fails, the server is told, and what it
   * may still answer is dropped. Any thread.
   */
  void cancel();
}
