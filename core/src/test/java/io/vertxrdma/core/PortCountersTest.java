package io.vertxrdma.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PortCountersTest {

  private static PortCounters of(String device, Map<String, Long> values) {
    return new PortCounters(device, 1, new TreeMap<>(values));
  }

  @Test
  void what_moved_since_an_earlier_reading_is_told_and_nothing_else() {
    PortCounters before = of("rxe0", Map.of("sent_pkts", 5L, "rcvd_pkts", 7L));
    PortCounters after = of("rxe0", Map.of("sent_pkts", 9L, "rcvd_pkts", 7L, "send_err", 1L));

    assertThat(after.since(before))
        .containsExactlyInAnyOrderEntriesOf(Map.of("sent_pkts", 4L, "send_err", 1L));
  }

  @Test
  void a_counter_that_was_reset_counts_from_zero_and_values_above_the_sign_are_no_reset() {
    PortCounters before = of("rxe0", Map.of("reset", 100L, "large", Long.MAX_VALUE));
    PortCounters after = of("rxe0", Map.of("reset", 3L, "large", Long.MIN_VALUE));

    assertThat(after.since(before))
        .containsExactlyInAnyOrderEntriesOf(Map.of("reset", 3L, "large", 1L));
  }

  @Test
  void readings_of_different_ports_are_not_compared() {
    assertThatThrownBy(() -> of("rxe0", Map.of()).since(of("rxe1", Map.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rxe0 port 1")
        .hasMessageContaining("rxe1 port 1");
  }

  @Test
  void an_absent_counter_is_empty_and_a_large_one_is_written_without_a_sign() {
    PortCounters counters = of("rxe0", Map.of("all", -1L));
    assertThat(counters.get("none")).isEmpty();
    assertThat(counters.get("all")).hasValue(-1L);
    assertThat(counters).hasToString("rxe0 port 1: all=18446744073709551615");
  }

  @Test
  void nobody_can_change_a_reading() {
    Map<String, Long> values = new TreeMap<>(Map.of("sent_pkts", 1L));
    PortCounters counters = of("rxe0", values);
    values.put("sent_pkts", 2L);
    assertThat(counters.get("sent_pkts")).hasValue(1L);
    assertThatThrownBy(() -> counters.values().put("x", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
