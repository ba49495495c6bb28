package io.vertxrdma.demos.rpc;

/** A call was cancelled by its caller. It may have been executed, or may still be. */
public final class RpcCancelledException extends RpcException {

  RpcCancelledException() {
    super(CANCELLED, "the call was cancelled");
  }
}
