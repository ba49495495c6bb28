package io.vertxrdma.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertxrdma.observability.micrometer.PortCounterMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortCounterMetersTest {

  private static final String SYSFS = "vertx.rdma.sysfs";

  @TempDir Path root;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void lookThere() {
    System.setProperty(SYSFS, root.toString());
  }

  @AfterEach
  void lookWhereTheKernelIs() {
    System.clearProperty(SYSFS);
  }

  private void counter(String name, String value) throws IOException {
    Path file = root.resolve("fake0/ports/1/hw_counters").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");
  }

  private double shown(String name) {
    return registry
        .get("rdma.port." + name)
        .tags("device", "fake0", "port", "1")
        .functionCounter()
        .count();
  }

  @Test
  void the_last_reading_shows_and_new_counters_get_meters() throws IOException {
    counter("sent_pkts", "7");
    try (FakeMachine machine = new FakeMachine();
        PortCounterMeters meters =
            new PortCounterMeters(machine.vertx, machine.provider, registry, 600_000)) {
      FakeMachine.get(meters.update());
      assertThat(shown("sent_pkts")).isEqualTo(7);

      counter("sent_pkts", "9");
      counter("rcvd_rnr_err", "18446744073709551615");
      FakeMachine.get(meters.update());

      assertThat(shown("sent_pkts")).isEqualTo(9);
      assertThat(shown("rcvd_rnr_err")).isEqualTo(0x1p64);
    }
  }

  @Test
  void it_reads_by_itself() throws IOException {
    counter("sent_pkts", "7");
    try (FakeMachine machine = new FakeMachine();
        PortCounterMeters meters =
            new PortCounterMeters(machine.vertx, machine.provider, registry, 100)) {
      assertThat(meters).isNotNull();
      FakeMachine.until(() -> registry.find("rdma.port.sent_pkts").functionCounter() != null);
      counter("sent_pkts", "8");
      FakeMachine.until(() -> shown("sent_pkts") == 8);
    }
  }

  @Test
  void an_interval_that_would_only_read_is_refused() {
    try (FakeMachine machine = new FakeMachine()) {
      assertThatThrownBy(() -> new PortCounterMeters(machine.vertx, machine.provider, registry, 99))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("99");
    }
  }
}
