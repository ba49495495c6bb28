package io.vertxrdma.tools.tune;

import java.util.List;
import java.util.Optional;

/**
 * Where more operations under way stop being worth it. Pure: same points, same knee.
 *
 * <p>The points are walked from the lowest depth up. One further on becomes the knee if it has at
 * least {@value #GROWTH} of the knee's rate for each doubling of the depth between them, and its
 * latency has not taken off: to more than {@value #TAKE_OFF} times per doubling, for less than
 * {@value #WORTH} times the rate. Since each is compared with the knee so far and not with its
 * neighbour, a single slow point between two good ones does not end the walk.
 *
 * @param point the knee
 * @param reason why it is not further on
 */
record Knee(Point point, Reason reason) {

  /** Of the rate, for twice the depth: a tenth more. */
  static final double GROWTH = 1.10;

  /** Of the 99 % latency, for twice the depth; queueing alone makes it twice as long. */
  static final double TAKE_OFF = 4;

  /** Of the rate, for twice the depth: pays for a latency that takes off. */
  static final double WORTH = 1.5;

  /** Why the knee is where it is. */
  enum Reason {
    /** The rate grows by less than a tenth for each doubling from here on. */
    SATURATED("from there on twice the depth brings less than 10 % more"),
    /** The latency takes off. */
    LATENCY("from there on the latency takes off"),
    /** A device allows no more. */
    LIMIT("the rate still grows there, but no more is possible"),
    /** It was still growing at the most that is tried. */
    STILL_GROWING("the rate still grows there, and it is the most that is tried"),
    /** With more the connection broke. */
    FAILED("with more the connection broke");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** In words, after "the knee is at N:". */
    String text() {
      return text;
    }
  }

  /**
   * Finds it.
   *
   * @param points by rising depth; from the first that failed on they do not count
   * @param limited whether the last point is as far as the devices go
   * @return empty when no point counts
   */
  static Optional<Knee> of(List<Point> points, boolean limited) {
    Point knee = null;
    boolean tookOff = false;
    boolean last = true;
    for (Point point : points) {
      if (point.isFailed()) {
        return knee == null
            ? Optional.empty()
            : Optional.of(new Knee(knee, last ? Reason.FAILED : reason(tookOff)));
      }
      if (knee == null) {
        knee = point;
        continue;
      }
      double doublings = Math.log((double) point.depth() / knee.depth()) / Math.log(2);
      boolean grows = point.perSecond() >= knee.perSecond() * Math.pow(GROWTH, doublings);
      boolean takesOff =
          point.p99() > knee.p99() * Math.pow(TAKE_OFF, doublings)
              && point.perSecond() < knee.perSecond() * Math.pow(WORTH, doublings);
      last = grows && !takesOff;
      if (last) {
        knee = point;
        tookOff = false;
      } else {
        // What keeps the next point from being the knee is the reason.
        tookOff |= grows;
      }
    }
    if (knee == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Knee(knee, !last ? reason(tookOff) : limited ? Reason.LIMIT : Reason.STILL_GROWING));
  }

  private static Reason reason(boolean tookOff) {
    return tookOff ? Reason.LATENCY : Reason.SATURATED;
  }
}
