package io.vertxrdma.cm;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.TransportType;
import java.util.Locale;

/**
 * How much private data fits into a message of the CM. It depends on the transport, so it is a
 * property of the device and not a constant.
 *
 * <p>librdmacm checks nothing: the kernel answers too much with EINVAL, at accept after having
 * rejected the peer, and a length above 255 is narrowed to a byte on the way. So it is checked here
 * before any call. Sources: {@code ib_cm.h} (REQ 92 less the 36 bytes of {@code cma_hdr}, REP 196,
 * REJ 148, SIDR_REQ 216 less 36, SIDR_REP 136); for iWARP 256 bytes in the kernel, of which MPA v2
 * takes 4 (sw/siw/siw_cm.c).
 */
public final class PrivateDataLimits {

  /** The length above which private data deserves a hint: {@link Advice#LARGE}. */
  public static final int ADVISED = 64;

  /** The length above which private data deserves a warning: {@link Advice#TOO_LARGE}. */
  public static final int WARNED = 128;

  private static final int IWARP = 252;

  private PrivateDataLimits() {}

  /** What the private data goes with. */
  public enum Operation {
    /** rdma_connect(3). */
    CONNECT,
    /** rdma_accept(3). */
    ACCEPT,
    /** rdma_reject(3). */
    REJECT
  }

  /** What to tell the user about a length that a device allows. */
  public enum Advice {
    /** Nothing. */
    NONE(""),
    /** Worth a hint. */
    LARGE("private data is meant for a few dozen bytes; a request on InfiniBand or RoCE holds 56"),
    /** Worth a warning. */
    TOO_LARGE(
        "private data this long is not portable; send it as the first message of the connection");

    private final String text;

    Advice(String text) {
      this.text = text;
    }

    /** The advice in words, "" for {@link #NONE}. */
    public String text() {
      return text;
    }
  }

  /**
   * The most bytes of private data.
   *
   * @param operation what it goes with
   * @param transport the device's; an unknown one is treated like InfiniBand, which has the least
   * @param portSpace TCP for connected queue pairs, UDP for datagrams
   */
  public static int limit(Operation operation, TransportType transport, PortSpace portSpace) {
    if (transport == TransportType.IWARP) {
      return IWARP;
    }
    return switch (portSpace) {
      case TCP ->
          switch (operation) {
            case CONNECT -> 56;
            case ACCEPT -> 196;
            case REJECT -> 148;
          };
      case UDP ->
          switch (operation) {
            case CONNECT -> 180;
            case ACCEPT, REJECT -> 136;
          };
    };
  }

  /**
   * Refuses private data that is too long.
   *
   * @param privateData null means none
   * @throws IllegalArgumentException naming the operation, the limit, the transport and the length
   */
  public static void check(
      Operation operation, TransportType transport, PortSpace portSpace, byte[] privateData) {
    int limit = limit(operation, transport, portSpace);
    int length = privateData == null ? 0 : privateData.length;
    if (length > limit) {
      throw new IllegalArgumentException(
          "private data for "
              + operation.name().toLowerCase(Locale.ROOT)
              + " is limited to "
              + limit
              + " bytes on "
              + transport
              + (portSpace == PortSpace.TCP ? "" : " (port space " + portSpace + ")")
              + ", got "
              + length);
    }
  }

  /** What to tell the user about a length: nothing to 64 bytes, a warning above 128. */
  public static Advice advice(int length) {
    if (length > WARNED) {
      return Advice.TOO_LARGE;
    }
    return length > ADVISED ? Advice.LARGE : Advice.NONE;
  }
}
