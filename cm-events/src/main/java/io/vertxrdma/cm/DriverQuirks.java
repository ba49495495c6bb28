package io.vertxrdma.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a driver departs from what verbs promise, in one table. Each entry was measured on the
 * driver.
 *
 * @param driver the driver's name, "" for one without quirks
 * @param maxRetryCount the highest retry count that still gives up. 7, except on rxe where 7 never
 *     does (sw/rxe/rxe_comp.c, COMPST_ERROR_RETRY) and a dead peer would go unnoticed
 * @param solicitedOnlyWorks whether a completion queue armed for solicited completions only also
 *     fires for errors, as it must; not on rxe
 * @param flushesReceivesPostedInError whether receives posted to a queue pair in the error state
 *     are flushed, as they must be; not on rxe and not by the soft provider
 * @param readWithDepthZeroHangs whether a READ on a queue pair with initiator depth 0 never
 *     completes, instead of being refused; so on rxe
 */
public record DriverQuirks(
    String driver,
    int maxRetryCount,
    boolean solicitedOnlyWorks,
    boolean flushesReceivesPostedInError,
    boolean readWithDepthZeroHangs) {

  /** No quirks. */
  public static final DriverQuirks NONE = new DriverQuirks("", 7, true, true, false);

  private static final DriverQuirks RXE = new DriverQuirks("rxe", 6, false, false, true);

  // The soft provider takes receives in the error state as rxe does, so that nobody relies on more.
  private static final DriverQuirks SOFT = new DriverQuirks("soft", 7, true, false, false);

  /**
   * The quirks of a driver.
   *
   * @param driver as {@link io.vertxrdma.core.DeviceContext#driver()} names it, also with the
   *     kernel module's prefix ({@code rdma_rxe}); null or unknown means {@link #NONE}
   */
  public static DriverQuirks forDriver(String driver) {
    if (driver == null) {
      return NONE;
    }
    return switch (driver.toLowerCase(Locale.ROOT)) {
      case "rxe", "rdma_rxe" -> RXE;
      case "soft" -> SOFT;
      default -> NONE;
    };
  }

  /** What the library does about each quirk, in words; "" for a driver without quirks. */
  public String text() {
    List<String> acts = new ArrayList<>();
    if (maxRetryCount < ConnectionParameters.MAX_RETRY_COUNT) {
      acts.add(
          "retry counts above "
              + maxRetryCount
              + " never give up, so "
              + maxRetryCount
              + " is used instead");
    }
    if (!solicitedOnlyWorks) {
      acts.add("solicited-only events miss errors, so queues are armed for all completions");
    }
    if (!flushesReceivesPostedInError) {
      acts.add("receives posted in the error state never flush, so none is posted at close");
    }
    if (readWithDepthZeroHangs) {
      acts.add("a READ with initiator depth 0 never completes, so it is refused");
    }
    return String.join("; ", acts);
  }
}
