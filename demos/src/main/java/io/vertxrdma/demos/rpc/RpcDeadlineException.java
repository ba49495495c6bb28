package io.vertxrdma.demos.rpc;

/** A call had no answer by its deadline. It may have been executed, or may still be. */
public final class RpcDeadlineException extends RpcException {

  RpcDeadlineException(long millis) {
    super(DEADLINE, "no answer within " + millis + " ms");
  }
}
