package io.vertxrdma.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.benchmarks.endtoend.EndToEnd;
import io.vertxrdma.benchmarks.endtoend.Measurement;
import io.vertxrdma.benchmarks.endtoend.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything end to end for a moment, with both processes. How fast it is says nothing here. */
@Timeout(900)
class EndToEndSmokeTest {

  @Test
  void everyPlaceHasRoundTripsAndStreams() throws Exception {
    List<String> progress = new ArrayList<>();

    List<Measurement> measured = EndToEnd.run(Settings.SMOKE, progress::add);

    assertThat(subjects(measured, "round trip p50", "us"))
        .containsExactlyInAnyOrder(
            "soft, same device, one event loop",
            "soft, same device, two event loops",
            "soft, one process, two addresses",
            "soft, two processes",
            "udp, one process",
            "udp, two processes",
            "tcp, one process",
            "tcp, two processes");
    assertThat(subjects(measured, "messages per second", "1/s"))
        .containsExactlyInAnyOrder(
            "soft, same device, one event loop",
            "soft, same device, two event loops",
            "soft, one process, two addresses",
            "soft, two processes",
            "udp, one process",
            "udp, two processes",
            "soft, 1 connections on the same device",
            "soft, 20 connections on the same device");
    assertThat(subjects(measured, "throughput", "MB/s"))
        .containsExactlyInAnyOrder(
            "soft, 1 MiB writes, same device, one event loop", "soft, 1 MiB writes, two processes");
    assertThat(measured)
        .filteredOn(each -> each.quantity().equals("immediates that arrived"))
        .singleElement()
        .extracting(Measurement::value)
        .isEqualTo(20.0);
    assertThat(measured)
        .filteredOn(each -> each.quantity().startsWith("round trip"))
        .allSatisfy(each -> assertThat(each.value()).isPositive().isFinite());
    assertThat(progress).isNotEmpty();
  }

  private static Set<String> subjects(List<Measurement> measured, String quantity, String unit) {
    return measured.stream()
        .filter(each -> each.quantity().equals(quantity) && each.unit().equals(unit))
        .map(Measurement::subject)
        .collect(Collectors.toSet());
  }
}
