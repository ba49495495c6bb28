package io.vertxrdma.cm;

import io.vertxrdma.core.RdmaException;

/** A parameter is above what the device or the peer allows, and may not be clamped to that. */
public class NegotiationException extends RdmaException {

  private final String field;
  private final int wanted;
  private final long limit;

  /**
   * Makes the exception.
   *
   * @param operation {@code rdma_connect} or {@code rdma_accept}; it was not called
   * @param field the property of {@link ConnectionParameters}
   * @param wanted what was asked for
   * @param limit the highest value allowed
   * @param reason whose limit it is, in words
   */
  public NegotiationException(
      String operation, String field, int wanted, long limit, String reason) {
    super(
        operation,
        0,
        "",
        operation
            + " refused by negotiation: "
            + field
            + " "
            + wanted
            + " is above the limit "
            + limit
            + " ("
            + reason
            + ")");
    this.field = field;
    this.wanted = wanted;
    this.limit = limit;
  }

  /** The property of {@link ConnectionParameters}. */
  public String field() {
    return field;
  }

  /** What was asked for. */
  public int wanted() {
    return wanted;
  }

  /** The highest value allowed; unsigned 32 bits. */
  public long limit() {
    return limit;
  }
}
