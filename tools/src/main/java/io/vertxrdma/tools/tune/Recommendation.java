package io.vertxrdma.tools.tune;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.RnrTimer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What to take, and why. Pure.
 *
 * @param isUsable whether a step of each kind worked
 * @param parameters depths, counts and timer
 * @param sendDepth for the options of either side
 * @param receiveDepth likewise
 * @param reasons for each value, by its name in the options; in the order in which to tell them
 */
record Recommendation(
    boolean isUsable,
    ConnectionParameters parameters,
    int sendDepth,
    int receiveDepth,
    Map<String, String> reasons) {

  /** Room above the knee: a quarter. */
  private static final double MARGIN = 1.25;

  /** The library posts at most so many receives again with one call, and else a quarter of them. */
  private static final int REFILL_BATCH = 64;

  private static final String DEPTHS = "responderResources, initiatorDepth";

  /** A depth with room above the knee, as far as the limit allows. */
  static int withMargin(Sweep sweep) {
    int depth = sweep.knee().map(knee -> (int) Math.ceil(knee.point().depth() * MARGIN)).orElse(1);
    return Math.min(depth, sweep.limit().orElse(depth));
  }

  /**
   * Works it out.
   *
   * @param reads the depth of reads under way
   * @param writes that of writes with immediate
   * @param receives what was measured with so many receives and the send depth that follows from
   *     the writes; by rising number
   */
  static Recommendation of(Sweep reads, Sweep writes, List<Point> receives) {
    Map<String, String> reasons = new LinkedHashMap<>();
    int depths = withMargin(reads);
    reasons.put(DEPTHS, depthReason(reads, depths, "reads"));
    int sendDepth = withMargin(writes);
    reasons.put("sendDepth", depthReason(writes, sendDepth, "writes with immediate"));
    Optional<Point> chosen = choose(receives);
    int receiveDepth = chosen.map(Point::depth).orElse(sendDepth);
    reasons.put("receiveDepth", receiveReason(chosen, sendDepth));
    int timer = timer(chosen);
    reasons.put("minRnrTimer", timerReason(chosen, timer));
    ConnectionParameters base = ConnectionParameters.DEFAULT;
    reasons.put("rnrRetryCount", "7 has no end: a slow subscriber makes the sender wait");
    reasons.put("retryCount", retryReason(reads, writes, receives, base.retryCount()));
    return new Recommendation(
        reads.knee().isPresent() && writes.knee().isPresent(),
        base.withResponderResources(depths).withInitiatorDepth(depths).withMinRnrTimer(timer),
        sendDepth,
        receiveDepth,
        reasons);
  }

  /** As the options of server and client read it. */
  JsonObject options() {
    return new JsonObject()
        .put("parameters", parameters.toJson())
        .put("sendDepth", sendDepth)
        .put("receiveDepth", receiveDepth);
  }

  private static String depthReason(Sweep sweep, int depth, String what) {
    Optional<Knee> knee = sweep.knee();
    if (knee.isEmpty()) {
      return "no step with "
          + what
          + " worked"
          + (sweep.limitReason().isEmpty() ? "" : ": " + sweep.limitReason());
    }
    int at = knee.get().point().depth();
    String reason = "the knee of " + what + " is at " + at + ": " + knee.get().reason().text();
    int wanted = (int) Math.ceil(at * MARGIN);
    return depth < wanted
        ? reason + "; a quarter more would be " + wanted + ", but " + sweep.limitReason()
        : reason + "; a quarter more is room for what differs from day to day";
  }

  /** The fewest with which nobody waits for one; where all wait, those with the highest rate. */
  private static Optional<Point> choose(List<Point> receives) {
    List<Point> worked = new ArrayList<>(receives);
    worked.removeIf(Point::isFailed);
    Optional<Point> enough =
        worked.stream().filter(point -> !point.waitedForReceives()).findFirst();
    return enough.or(
        () -> worked.stream().max((a, b) -> Double.compare(a.perSecond(), b.perSecond())));
  }

  private static String receiveReason(Optional<Point> chosen, int sendDepth) {
    if (chosen.isEmpty()) {
      return "as many as the peer has sends; more could not be tried";
    }
    if (!chosen.get().waitedForReceives()) {
      return "the fewest tried with which the sender, with "
          + sendDepth
          + " under way, never waited for one";
    }
    return "the sender, with "
        + sendDepth
        + " under way, waited for a receive with each number tried; with this one it was fastest";
  }

  /** About as long as the subscriber takes for the receives that are posted again together. */
  private static int timer(Optional<Point> chosen) {
    if (chosen.isEmpty() || !chosen.get().waitedForReceives()) {
      return ConnectionParameters.DEFAULT.minRnrTimer();
    }
    double micros = batch(chosen.get().depth()) * 1e6 / Math.max(1, chosen.get().perSecond());
    int code = 1;
    while (code < RnrTimer.MAX_CODE && RnrTimer.micros(code) < micros) {
      code++;
    }
    return code;
  }

  private static int batch(int receives) {
    return Math.max(1, Math.min(REFILL_BATCH, receives / 4));
  }

  private static String timerReason(Optional<Point> chosen, int timer) {
    if (chosen.isEmpty() || !chosen.get().waitedForReceives()) {
      return "no wait for a receive to shorten: the default, " + RnrTimer.text(timer);
    }
    OptionalLong rnr = chosen.get().rnr();
    return (rnr.isPresent()
            ? "receiver not ready was seen " + rnr.getAsLong() + " times"
            : "receives ran out " + chosen.get().starved() + " times")
        + ": "
        + RnrTimer.text(timer)
        + " is about what the "
        + batch(chosen.get().depth())
        + " that are posted again together take";
  }

  private static String retryReason(
      Sweep reads, Sweep writes, List<Point> receives, int retryCount) {
    List<Point> all = new ArrayList<>(reads.points());
    all.addAll(writes.points());
    all.addAll(receives);
    long retries = all.stream().mapToLong(point -> point.retries().orElse(0)).sum();
    if (retries == 0) {
      return retryCount + " costs nothing where nothing is lost, and none was seen to be";
    }
    return "packets were repeated "
        + retries
        + " times: something is lost on the way, or late; take no less than "
        + retryCount;
  }
}
