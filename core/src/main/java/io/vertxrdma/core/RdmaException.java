package io.vertxrdma.core;

/**
 * An RDMA operation failed. Carries the operation, the raw number and its symbolic name; the
 * message has the strings people search for.
 */
public class RdmaException extends RuntimeException {

  private final String operation;
  private final int code;
  private final String symbol;

  /**
   * Makes the exception.
   *
   * @param operation what was tried, for example {@code rdma_bind_addr}
   * @param code the raw number: errno, event status or completion status; 0 for none
   * @param symbol its symbolic name, or ""
   * @param message the whole message
   */
  public RdmaException(String operation, int code, String symbol, String message) {
    super(message);
    this.operation = operation;
    this.code = code;
    this.symbol = symbol;
  }

  /** A call that set errno. */
  public static RdmaException ofErrno(String operation, int errno) {
    return ofErrno(operation, errno, "");
  }

  /** A call that set errno, with what it was about, for example an address. */
  public static RdmaException ofErrno(String operation, int errno, String about) {
    return new RdmaException(operation, errno, Errno.nameOf(errno), text(operation, errno, about));
  }

  /** The message form shared by all errno failures. */
  protected static String text(String operation, int errno, String about) {
    Errno known = Errno.of(errno);
    return operation
        + (about.isEmpty() ? "" : " (" + about + ")")
        + ": "
        + (known == null
            ? "errno " + errno
            : known.text() + " [" + known.name() + ", errno " + errno + "]");
  }

  /** What was tried. */
  public String operation() {
    return operation;
  }

  /** The raw number; 0 for none. */
  public int code() {
    return code;
  }

  /** The symbolic name of the number, or "". */
  public String symbol() {
    return symbol;
  }
}
