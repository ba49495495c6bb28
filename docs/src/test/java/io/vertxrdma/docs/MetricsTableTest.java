package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertxrdma.cm.Role;
import io.vertxrdma.observability.micrometer.MicrometerMetrics;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of the chapter on metrics has every meter, with its type and tags, and no other. */
class MetricsTableTest {

  private static final Pattern ROW =
      Pattern.compile("^\\| `(rdma\\.[a-z.]+)` \\| (\\w+), [^|]+\\| ([^|]*)\\|", Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile("`(\\w+)`");

  @Test
  void the_table_and_the_meters_agree() throws IOException {
    Map<String, String> shown = new TreeMap<>();
    Matcher rows = ROW.matcher(Files.readString(Path.of("src/main/asciidoc/metrics.adoc")));
    while (rows.find()) {
      Set<String> tags = new TreeSet<>();
      Matcher tag = TAG.matcher(rows.group(3));
      while (tag.find()) {
        tags.add(tag.group(1));
      }
      shown.put(rows.group(1), rows.group(2) + tags);
    }
    assertThat(shown).isNotEmpty().isEqualTo(real());
  }

  private static Map<String, String> real() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    MicrometerMetrics metrics = new MicrometerMetrics(registry);
    metrics.connectEnded(Role.ACTIVE, ConnectOutcome.ESTABLISHED, 0, 1);
    metrics.clamped("initiatorDepth");
    metrics.alignmentFinding("RETRY_COUNT_ZERO");
    metrics.connectionClosed(Role.ACTIVE, false, 1);
    Map<String, String> all = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      Set<String> tags = new TreeSet<>();
      meter.getId().getTags().forEach(tag -> tags.add(tag.getKey()));
      all.put(
          meter.getId().getName(),
          meter.getId().getType().name().toLowerCase(java.util.Locale.ROOT) + tags);
    }
    return all;
  }
}
