package io.vertxrdma.demos.rpc;

/**
 * A call failed: at the other end, with the code and the text it was given there, or on the way.
 *
 * <p>An application's codes are 0 and up; handlers fail with an exception of this class to send
 * one. Those below 0 are the protocol's own.
 */
public class RpcException extends RuntimeException {

  /** The handler failed in another way; the text is the message of its exception. */
  public static final int FAILED = -1;

  /** Nobody handles the opcode. */
  public static final int NO_HANDLER = -2;

  /** The answer is larger than a slot. */
  public static final int ANSWER_TOO_LARGE = -3;

  /** The deadline has passed. */
  public static final int DEADLINE = -4;

  /** The caller has cancelled. */
  public static final int CANCELLED = -5;

  /** The connection has ended; whether the call was executed is not known. */
  public static final int CONNECTION = -6;

  private final int code;

  /** Makes an exception; a handler's code is 0 or more. */
  public RpcException(int code, String message) {
    super(message);
    this.code = code;
  }

  /** As the handler gave it, 0 or more, or one of the protocol's. */
  public int code() {
    return code;
  }
}
