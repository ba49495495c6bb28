package io.vertxrdma.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {

  @Test
  void percentilesAreTheNearestRanks() {
    Latency latency = new Latency();
    for (int micros = 1; micros <= 1_000; micros++) {
      latency.record(micros * 1_000L);
    }

    JsonObject json = latency.json();

    // Three digits are kept.
    assertThat(json.getDouble("min")).isBetween(0.99, 1.01);
    assertThat(json.getDouble("p50")).isBetween(499.0, 501.0);
    assertThat(json.getDouble("p90")).isBetween(899.0, 901.0);
    assertThat(json.getDouble("p99")).isBetween(989.0, 991.0);
    assertThat(json.getDouble("p99_9")).isBetween(998.0, 1_000.0);
    assertThat(json.getDouble("max")).isBetween(999.0, 1_001.0);
    assertThat(json.getDouble("mean")).isBetween(500.0, 501.0);
  }

  @Test
  void evenAnHourFitsTheTable() {
    Latency latency = new Latency();
    latency.record(0);
    latency.record(TimeUnit.DAYS.toNanos(2));

    List<String> lines = latency.table().lines().toList();

    assertThat(lines).hasSize(2).allMatch(line -> line.length() <= 80);
    assertThat(lines.get(1)).contains(" 0.00 ").containsPattern(" 36\\d{8} ");
  }
}
