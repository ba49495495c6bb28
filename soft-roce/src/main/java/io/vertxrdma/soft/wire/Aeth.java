package io.vertxrdma.soft.wire;

/** Syndromes of the acknowledge header (IBTA volume 1, 9.7.5.1.1). */
public final class Aeth {

  /** Acknowledged; credits are not used. */
  public static final int ACK = 0x1F;

  /** A packet is missing: start again from the PSN of this one. */
  public static final int NAK_SEQUENCE = 0x60;

  /** The request makes no sense to the responder. */
  public static final int NAK_INVALID_REQUEST = 0x61;

  /** The request touches memory it may not. */
  public static final int NAK_REMOTE_ACCESS = 0x62;

  /** The responder failed. */
  public static final int NAK_REMOTE_OPERATION = 0x63;

  private static final int KIND = 0xE0;

  private Aeth() {}

  /** The syndrome of "receiver not ready" with that timer, a code of {@link RnrTimer}. */
  public static int rnrNak(int timer) {
    return 0x20 | timer & 0x1F;
  }

  /** Whether it acknowledges, with whatever credits. */
  public static boolean isAck(int syndrome) {
    return (syndrome & KIND) == 0;
  }

  /** Whether it is "receiver not ready". */
  public static boolean isRnrNak(int syndrome) {
    return (syndrome & KIND) == 0x20;
  }

  /** Whether it is a NAK of another kind. What is none of the three is reserved. */
  public static boolean isNak(int syndrome) {
    return (syndrome & KIND) == 0x60;
  }

  /** The timer code of "receiver not ready". */
  public static int rnrTimer(int syndrome) {
    return syndrome & 0x1F;
  }
}
