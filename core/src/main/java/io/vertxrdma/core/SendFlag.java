package io.vertxrdma.core;

/** Flags of a send request ({@code enum ibv_send_flags}); plain ints for the hot path. */
public final class SendFlag {
  /** Wait for earlier READs and ATOMICs. */
  public static final int FENCE = 1;

  /** Make a completion. */
  public static final int SIGNALED = 2;

  /** Raise a solicited event at the peer. */
  public static final int SOLICITED = 4;

  /** Copy the data at once; no local key needed. */
  public static final int INLINE = 8;

  private SendFlag() {}
}
