package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.RnrTimer;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RecommendationTest {

  private static Sweep withKneeAt(int knee) {
    Sweep sweep = new Sweep(1_024);
    for (int depth = knee; depth <= 4 * knee; depth *= 2) {
      sweep.add(Point.of(depth, 10_000, 100, 100));
    }
    return sweep;
  }

  private static Point receives(int number, long rnr, double perSecond) {
    OptionalLong none = OptionalLong.of(0);
    return new Point(number, perSecond, 100, 200, OptionalLong.of(rnr), none, rnr, "");
  }

  private static Recommendation of(Sweep reads, Sweep writes, Point... receives) {
    return Recommendation.of(reads, writes, List.of(receives));
  }

  @Test
  void a_quarter_is_left_above_each_knee() {
    Recommendation found = of(withKneeAt(8), withKneeAt(30), receives(76, 0, 1_000));

    assertThat(found.parameters().responderResources()).isEqualTo(10);
    assertThat(found.parameters().initiatorDepth()).isEqualTo(10);
    assertThat(found.sendDepth()).isEqualTo(38);
    assertThat(found.receiveDepth()).isEqualTo(76);
    assertThat(found.isUsable()).isTrue();
  }

  @Test
  void no_more_than_the_limit_is_recommended_and_the_reason_says_whose_it_is() {
    Sweep reads = new Sweep(128);
    reads.limit(4, "device maximum max_qp_init_rd_atom is 4");
    reads.add(Point.of(2, 10_000, 100, 100));
    reads.add(Point.of(4, 20_000, 100, 100));

    Recommendation found = of(reads, withKneeAt(2));

    assertThat(found.parameters().initiatorDepth()).isEqualTo(4);
    assertThat(found.reasons().get("responderResources, initiatorDepth"))
        .contains("max_qp_init_rd_atom is 4");
  }

  @Test
  void of_the_receives_the_fewest_win_with_which_nobody_waited() {
    Recommendation found =
        of(
            withKneeAt(8),
            withKneeAt(8),
            receives(10, 300, 9_000),
            receives(20, 0, 5_000),
            receives(40, 0, 9_900));

    assertThat(found.receiveDepth()).isEqualTo(20);
    assertThat(found.parameters().minRnrTimer())
        .isEqualTo(ConnectionParameters.DEFAULT.minRnrTimer());
  }

  @Test
  void where_all_waited_the_fastest_wins_and_the_timer_is_what_a_refill_takes() {
    Recommendation found =
        of(withKneeAt(8), withKneeAt(8), receives(20, 9, 100_000), receives(40, 7, 50_000));

    assertThat(found.receiveDepth()).isEqualTo(20);
    // Five are posted again together, which takes 50 us: the next wait there is, 60 us.
    assertThat(RnrTimer.micros(found.parameters().minRnrTimer())).isEqualTo(60);
    assertThat(found.reasons().get("minRnrTimer")).contains("9 times", "0.06 ms", "the 5 ");
  }

  @Test
  void a_receiver_that_is_very_slow_gets_the_longest_wait_there_is_but_code_0() {
    Recommendation found = of(withKneeAt(8), withKneeAt(8), receives(20, 9, 0.5));

    assertThat(found.parameters().minRnrTimer()).isEqualTo(31);
  }

  @Test
  void a_connection_that_broke_with_few_receives_is_no_choice() {
    Recommendation found =
        of(withKneeAt(8), withKneeAt(8), Point.failed(10, "broke"), receives(20, 1, 10_000));

    assertThat(found.receiveDepth()).isEqualTo(20);
  }

  @Test
  void repeated_packets_are_told() {
    Sweep reads = withKneeAt(8);
    OptionalLong none = OptionalLong.of(0);
    reads.add(new Point(1, 100, 1, 1, none, OptionalLong.of(17), 0, ""));

    assertThat(of(reads, withKneeAt(8)).reasons().get("retryCount")).contains("repeated 17 times");
    assertThat(of(withKneeAt(8), withKneeAt(8)).reasons().get("retryCount"))
        .doesNotContain("repeated");
  }

  @Test
  void where_no_read_worked_it_says_why_and_is_not_usable() {
    Sweep reads = new Sweep(128);
    reads.limit(0, "the peer's responder resources are 0");

    Recommendation found = of(reads, withKneeAt(8));

    assertThat(found.isUsable()).isFalse();
    assertThat(found.parameters().initiatorDepth()).isZero();
    assertThat(found.reasons().get("responderResources, initiatorDepth"))
        .contains("the peer's responder resources are 0");
  }

  @Test
  void what_is_printed_is_read_back_by_parameters_and_by_the_options_of_both_sides() {
    Recommendation found = of(withKneeAt(8), withKneeAt(30), receives(20, 9, 100_000));

    JsonObject pasted = new JsonObject(found.options().encodePrettily());

    assertThat(new ConnectionParameters(pasted.getJsonObject("parameters")))
        .isEqualTo(found.parameters());
    RdmaClientOptions client = new RdmaClientOptions(pasted);
    assertThat(client.getParameters()).isEqualTo(found.parameters());
    assertThat(client.getSendDepth()).isEqualTo(38);
    assertThat(client.getReceiveDepth()).isEqualTo(20);
    RdmaServerOptions server = new RdmaServerOptions(pasted);
    assertThat(server.getParameters()).isEqualTo(found.parameters());
    assertThat(server.getSendDepth()).isEqualTo(38);
    assertThat(server.getReceiveDepth()).isEqualTo(20);
  }
}
