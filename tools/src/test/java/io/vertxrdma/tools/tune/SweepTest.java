package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SweepTest {

  /** Runs a sweep over a pipeline that is full with so many; returns the depths in order. */
  private static List<Integer> run(Sweep sweep, int stages) {
    List<Integer> tried = new ArrayList<>();
    for (OptionalInt next = sweep.next(); next.isPresent(); next = sweep.next()) {
      int depth = next.getAsInt();
      tried.add(depth);
      sweep.add(
          Point.of(depth, Math.min(depth, stages) * 10_000.0, 100, 100.0 * depth / stages + 100));
      assertThat(tried).hasSizeLessThan(50);
    }
    return tried;
  }

  @Test
  void doubles_until_the_knee_is_clear_and_then_looks_on_both_sides_of_it() {
    Sweep sweep = new Sweep(1_024);

    assertThat(run(sweep, 11)).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 12, 24);
    assertThat(sweep.points()).extracting(Point::depth).isSorted();
    assertThat(sweep.knee().orElseThrow().point().depth()).isEqualTo(12);
  }

  @Test
  void does_not_exceed_its_most() {
    assertThat(run(new Sweep(100), 1_000)).containsExactly(1, 2, 4, 8, 16, 32, 64, 100, 82);
  }

  @Test
  void a_flat_curve_takes_few_steps() {
    assertThat(run(new Sweep(1_024), 1)).containsExactly(1, 2, 4, 8);
  }

  @Test
  void stops_raising_at_a_limit_and_measures_there() {
    Sweep sweep = new Sweep(1_024);
    sweep.add(Point.of(1, 10_000, 100, 100));
    sweep.add(Point.of(2, 20_000, 100, 100));
    sweep.add(Point.of(4, 40_000, 100, 100));
    assertThat(sweep.next()).hasValue(8);

    sweep.limit(6, "the device has 6");

    assertThat(run(sweep, 1_000)).containsExactly(6, 5);
    assertThat(sweep.knee().orElseThrow().point().depth()).isEqualTo(6);
    assertThat(sweep.knee().orElseThrow().reason()).isEqualTo(Knee.Reason.LIMIT);
    assertThat(sweep.limitReason()).isEqualTo("the device has 6");
  }

  @Test
  void of_two_limits_the_lower_counts() {
    Sweep sweep = new Sweep(1_024);
    sweep.limit(6, "six");
    sweep.limit(8, "eight");

    assertThat(sweep.limit()).hasValue(6);
    assertThat(sweep.limitReason()).isEqualTo("six");
  }

  @Test
  void tries_nothing_above_what_failed() {
    Sweep sweep = new Sweep(1_024);
    sweep.add(Point.of(1, 10_000, 100, 100));
    sweep.add(Point.of(2, 20_000, 100, 100));
    sweep.add(Point.of(4, 40_000, 100, 100));
    sweep.add(Point.failed(8, "broke"));

    assertThat(run(sweep, 1_000)).allMatch(depth -> depth < 8).contains(6);
    assertThat(sweep.knee().orElseThrow().reason()).isEqualTo(Knee.Reason.FAILED);
  }

  @Test
  void has_nothing_to_try_where_nothing_is_possible() {
    Sweep sweep = new Sweep(16);
    sweep.limit(0, "no reads");

    assertThat(sweep.next()).isEmpty();
    assertThat(sweep.knee()).isEmpty();
  }

  @Test
  void a_depth_that_was_measured_stays_as_it_was() {
    Sweep sweep = new Sweep(16);

    assertThat(sweep.add(Point.of(4, 1, 1, 1))).isTrue();
    assertThat(sweep.add(Point.of(4, 2, 2, 2))).isFalse();
    assertThat(sweep.points()).extracting(Point::perSecond).containsExactly(1.0);
  }
}
