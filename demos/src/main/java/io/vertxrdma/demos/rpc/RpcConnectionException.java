package io.vertxrdma.demos.rpc;

/** The connection ended before the answer came. The call may have been executed. */
public final class RpcConnectionException extends RpcException {

  RpcConnectionException(String message, Throwable cause) {
    super(CONNECTION, message);
    if (cause != null) {
      initCause(cause);
    }
  }
}
