package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The knee of curves whose knee is known. */
class KneeTest {

  private static final int[] DEPTHS = {1, 2, 4, 8, 16, 32, 64, 128};

  /** Rates as a function of the depth; latencies as queueing makes them: depth over rate. */
  private static List<Point> curve(DoubleUnaryOperator rate) {
    List<Point> points = new ArrayList<>();
    for (int depth : DEPTHS) {
      double perSecond = rate.applyAsDouble(depth);
      double micros = depth * 1e6 / perSecond;
      points.add(Point.of(depth, perSecond, micros, 2 * micros));
    }
    return points;
  }

  private static Knee knee(List<Point> points, boolean limited) {
    return Knee.of(points, limited).orElseThrow();
  }

  /** Each operation takes 100 us, and no more than so many are done at once. */
  private static DoubleUnaryOperator pipeline(int stages) {
    return depth -> Math.min(depth, stages) * 10_000.0;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64})
  void is_where_a_pipeline_is_full(int stages) {
    Knee knee = knee(curve(pipeline(stages)), false);

    assertThat(knee.point().depth()).isEqualTo(stages);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.SATURATED);
  }

  @Test
  void of_a_flat_curve_is_its_beginning() {
    Knee knee = knee(curve(depth -> 5_000), false);

    assertThat(knee.point().depth()).isEqualTo(1);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.SATURATED);
  }

  @Test
  void of_a_falling_curve_is_its_beginning() {
    Knee knee = knee(curve(depth -> 5_000 / depth), false);

    assertThat(knee.point().depth()).isEqualTo(1);
  }

  @Test
  void of_a_curve_that_never_stops_growing_is_its_end_and_says_so() {
    Knee knee = knee(curve(pipeline(1_000)), false);

    assertThat(knee.point().depth()).isEqualTo(128);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.STILL_GROWING);
  }

  @Test
  void of_a_curve_cut_by_a_limit_is_the_limit_and_says_so() {
    Knee knee = knee(curve(pipeline(1_000)).subList(0, 3), true);

    assertThat(knee.point().depth()).isEqualTo(4);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.LIMIT);
  }

  @Test
  void a_limit_far_behind_the_knee_is_not_its_reason() {
    Knee knee = knee(curve(pipeline(4)), true);

    assertThat(knee.point().depth()).isEqualTo(4);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.SATURATED);
  }

  @Test
  void noise_of_four_per_cent_does_not_move_it() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      DoubleUnaryOperator noise = rate -> rate * (0.96 + 0.08 * random.nextDouble());
      Knee knee = knee(curve(pipeline(16).andThen(noise)), false);

      assertThat(knee.point().depth()).as("seed %d", seed).isEqualTo(16);
    }
  }

  @Test
  void noise_does_not_make_a_flat_curve_grow() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Knee knee = knee(curve(depth -> 1_000 + 80 * random.nextDouble()), false);

      assertThat(knee.point().depth()).as("seed %d", seed).isEqualTo(1);
    }
  }

  @Test
  void one_slow_point_on_the_way_up_does_not_end_the_walk() {
    List<Point> points = new ArrayList<>(curve(pipeline(32)));
    points.set(3, Point.of(8, 20_000, 400, 9_000));

    assertThat(knee(points, false).point().depth()).isEqualTo(32);
  }

  @Test
  void a_latency_that_takes_off_for_little_more_rate_is_a_knee() {
    List<Point> points =
        List.of(
            Point.of(1, 10_000, 100, 120),
            Point.of(2, 19_000, 105, 150),
            Point.of(4, 24_000, 160, 5_000),
            Point.of(8, 28_000, 280, 9_000));

    Knee knee = knee(points, false);

    assertThat(knee.point().depth()).isEqualTo(2);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.LATENCY);
  }

  @Test
  void a_latency_that_takes_off_is_worth_it_for_much_more_rate() {
    List<Point> points = List.of(Point.of(1, 10_000, 100, 120), Point.of(2, 19_000, 105, 1_000));

    assertThat(knee(points, false).point().depth()).isEqualTo(2);
  }

  @Test
  void is_before_the_depth_with_which_the_connection_broke() {
    List<Point> points = new ArrayList<>(curve(pipeline(1_000)).subList(0, 3));
    points.add(Point.failed(8, "transport retry counter exceeded (12)"));

    Knee knee = knee(points, false);

    assertThat(knee.point().depth()).isEqualTo(4);
    assertThat(knee.reason()).isEqualTo(Knee.Reason.FAILED);
  }

  @Test
  void of_a_single_point_is_that_point() {
    assertThat(knee(curve(pipeline(1)).subList(0, 1), true).reason()).isEqualTo(Knee.Reason.LIMIT);
  }

  @Test
  void is_missing_where_nothing_worked() {
    assertThat(Knee.of(List.of(), false)).isEmpty();
    assertThat(Knee.of(List.of(Point.failed(1, "broke")), false)).isEmpty();
  }

  @Test
  void finer_steps_ask_for_no_more_growth_than_coarse_ones() {
    List<Point> points =
        IntStream.rangeClosed(8, 32)
            .mapToObj(depth -> Point.of(depth, Math.min(depth, 24) * 1_000.0, 500, 900))
            .toList();

    assertThat(knee(points, false).point().depth()).isEqualTo(24);
  }
}
