package io.vertxrdma.tools.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Which depths to try, in what order: 1, 2, 4 and so on until it is clear where the knee is, then
 * one on either side of the knee. No more than a device allows, and nothing above what failed.
 */
final class Sweep {

  /** So many times the knee's depth have to be tried before it is believed. */
  private static final int BEYOND = 8;

  private final int most;
  private final TreeMap<Integer, Point> points = new TreeMap<>();
  private List<Integer> fine;
  private int limit = Integer.MAX_VALUE;
  private String limitReason = "";

  /**
   * A sweep.
   *
   * @param most the highest depth to try, 1 or more
   */
  Sweep(int most) {
    this.most = most;
  }

  /** Adds what was measured; false when that depth was measured before, which then counts. */
  boolean add(Point point) {
    return points.putIfAbsent(point.depth(), point) == null;
  }

  /**
   * Nothing above this depth is possible.
   *
   * @param depth 0 or more
   * @param reason whose limit it is, in words
   */
  void limit(int depth, String reason) {
    if (depth < limit) {
      limit = depth;
      limitReason = reason;
    }
  }

  /** The depth that no device allows more than; empty while none is known. */
  OptionalInt limit() {
    return limit == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** Whose limit it is, or "". */
  String limitReason() {
    return limitReason;
  }

  /** By rising depth. */
  List<Point> points() {
    return List.copyOf(points.values());
  }

  /** The knee of what was measured so far; empty when nothing worked. */
  Optional<Knee> knee() {
    return Knee.of(points(), !points.isEmpty() && points.lastKey() >= limit);
  }

  /** The depth to try next; empty when all is known. */
  OptionalInt next() {
    if (points.isEmpty()) {
      return limit < 1 ? OptionalInt.empty() : OptionalInt.of(1);
    }
    if (fine == null) {
      int last = points.lastKey();
      int top = Math.min(most, limit);
      if (last < top && !points.lastEntry().getValue().isFailed() && !clear(last)) {
        return OptionalInt.of(Math.min(top, 2 * last));
      }
      fine = aroundTheKnee();
    }
    for (int depth : fine) {
      if (!points.containsKey(depth) && depth <= limit) {
        return OptionalInt.of(depth);
      }
    }
    return OptionalInt.empty();
  }

  private boolean clear(int last) {
    return last >= BEYOND * knee().orElseThrow().point().depth();
  }

  /** Half way to the neighbours that were tried. */
  private List<Integer> aroundTheKnee() {
    List<Integer> between = new ArrayList<>();
    knee()
        .ifPresent(
            knee -> {
              int depth = knee.point().depth();
              Integer below = points.lowerKey(depth);
              Integer above = points.higherKey(depth);
              if (below != null) {
                between.add((below + depth) / 2);
              }
              if (above != null) {
                between.add((depth + above) / 2);
              }
            });
    return between;
  }
}
