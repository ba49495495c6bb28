package io.vertxrdma.reactive;

/** Takes immediates without an object for each; called on the connection's event loop. */
@FunctionalInterface
public interface ImmediateHandler {

  /**
   * Handles one immediate; its receive is posted again when this returns.
   *
   * @param connection on which it came
   * @param immediate the 32 bits, in host order; unsigned
   * @param byteLength bytes the write placed, unsigned
   */
  void handle(RdmaConnection connection, int immediate, int byteLength);
}
