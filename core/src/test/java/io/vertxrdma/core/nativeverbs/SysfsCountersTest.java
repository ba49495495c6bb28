package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.PortCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsCountersTest {

  @TempDir Path root;

  private SysfsCounters sysfs;

  @BeforeEach
  void setUp() {
    sysfs = new SysfsCounters(root);
  }

  private void file(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  @Test
  void counters_of_both_folders_are_read_as_unsigned_numbers() throws IOException {
    file("mlx5_0/ports/2/counters/port_xmit_data", "12\n");
    file("mlx5_0/ports/2/hw_counters/rnr_nak_retry_err", "18446744073709551615\n");
    file("mlx5_0/ports/1/counters/port_xmit_data", "77\n");

    PortCounters counters = sysfs.read("mlx5_0", 2);

    assertThat(counters.device()).isEqualTo("mlx5_0");
    assertThat(counters.port()).isEqualTo(2);
    assertThat(counters.values())
        .containsOnlyKeys("port_xmit_data", "rnr_nak_retry_err")
        .containsEntry("port_xmit_data", 12L)
        .containsEntry("rnr_nak_retry_err", -1L);
  }

  @Test
  void what_is_no_counter_is_left_out() throws IOException {
    file("rxe0/ports/1/hw_counters/lifespan", "10\n");
    file("rxe0/ports/1/hw_counters/sent_pkts", "3\n");
    file("rxe0/ports/1/counters/VL15_dropped", "N/A (no PMA)\n");
    Files.createDirectories(root.resolve("rxe0/ports/1/counters/folder"));

    assertThat(sysfs.read("rxe0", 1).values()).containsOnlyKeys("sent_pkts");
  }

  @Test
  void messages_of_the_connection_manager_are_summed_over_their_kinds() throws IOException {
    file("rxe0/ports/1/cm_tx_msgs/req", "2\n");
    file("rxe0/ports/1/cm_tx_msgs/dreq", "3\n");
    file("rxe0/ports/1/cm_rx_duplicates/req", "0\n");

    assertThat(sysfs.read("rxe0", 1).values())
        .containsEntry("cm_tx_msgs", 5L)
        .containsEntry("cm_rx_duplicates", 0L)
        .hasSize(2);
  }

  @Test
  void a_port_without_counters_has_none() {
    assertThat(sysfs.read("gone0", 1).values()).isEmpty();
  }
}
