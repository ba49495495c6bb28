package io.vertxrdma.core;

import java.util.Map;

/** Names of the reject reasons of the InfiniBand CM ({@code ib_cm.h}, {@code ib_cm_rej_reason}). */
public final class RejectReason {
  /** There is no queue pair for it over there. */
  public static final int NO_QUEUE_PAIR = 1;

  /** The peer's CM has no room for it. */
  public static final int NO_RESOURCES = 3;

  /** The peer's CM gave up waiting. */
  public static final int TIMEOUT = 4;

  /** Nobody listens there. */
  public static final int INVALID_SERVICE_ID = 8;

  /** The peer still knows an older connection of these numbers. */
  public static final int STALE_CONNECTION = 10;

  /** The application said no. */
  public static final int CONSUMER_DEFINED = 28;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(NO_QUEUE_PAIR, "no queue pair"),
          Map.entry(2, "no end-to-end context"),
          Map.entry(NO_RESOURCES, "no resources"),
          Map.entry(TIMEOUT, "timeout"),
          Map.entry(5, "unsupported request"),
          Map.entry(6, "invalid communication id"),
          Map.entry(7, "invalid communication instance"),
          Map.entry(INVALID_SERVICE_ID, "invalid service id: no listener"),
          Map.entry(9, "invalid transport type"),
          Map.entry(STALE_CONNECTION, "stale connection"),
          Map.entry(11, "RDC does not exist"),
          Map.entry(12, "invalid GID"),
          Map.entry(13, "invalid LID"),
          Map.entry(14, "invalid service level"),
          Map.entry(15, "invalid traffic class"),
          Map.entry(16, "invalid hop limit"),
          Map.entry(17, "invalid packet rate"),
          Map.entry(24, "port and CM redirect"),
          Map.entry(25, "port redirect"),
          Map.entry(26, "invalid path MTU"),
          Map.entry(27, "insufficient responder resources"),
          Map.entry(CONSUMER_DEFINED, "consumer defined: rejected by the application"),
          Map.entry(29, "invalid RNR retry count"),
          Map.entry(30, "duplicate local communication id"),
          Map.entry(31, "invalid class version"),
          Map.entry(32, "invalid flow label"),
          Map.entry(33, "invalid alternate flow label"),
          Map.entry(35, "vendor option not supported"));

  private RejectReason() {}

  /** The words for a reason, or "unknown reason". */
  public static String text(int reason) {
    return TEXTS.getOrDefault(reason, "unknown reason");
  }
}
