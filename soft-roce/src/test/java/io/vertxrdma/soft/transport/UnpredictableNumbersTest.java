package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.soft.SoftDeviceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The numbers that keep strangers out can't be told from those seen before. */
class UnpredictableNumbersTest {

  private static final int MANY = 512;

  private final End end = new End(new FakeNetwork(), "10.0.0.2", SoftDeviceOptions.DEFAULT);

  private static void areRandom(List<Integer> numbers, int bits) {
    assertThat(new TreeSet<>(numbers)).hasSizeGreaterThan(MANY - 3);
    for (int bit = 0; bit < bits; bit++) {
      int at = bit;
      // 256 expected, with a standard deviation of 11.
      assertThat(numbers.stream().filter(number -> (number >>> at & 1) != 0).count())
          .as("bit %s", bit)
          .isBetween(150L, 362L);
    }
    Set<Integer> steps = new TreeSet<>();
    for (int i = 1; i < numbers.size(); i++) {
      steps.add(numbers.get(i) - numbers.get(i - 1));
    }
    assertThat(steps).as("differences").hasSizeGreaterThan(MANY - 10);
  }

  @Test
  void remote_keys_are_random() {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      MemoryRegion region = end.memory(8);
      keys.add(region.remoteKey());
      region.close();
    }
    areRandom(keys, 32);
  }

  @Test
  void packet_sequence_numbers_start_at_random() {
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      starts.add(end.engine.allocateStartPsn());
    }
    areRandom(starts, 24);
  }

  @Test
  void queue_pair_numbers_of_a_device_start_at_random() {
    List<Integer> firsts = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      End other = new End(new FakeNetwork(), "10.0.0.3", SoftDeviceOptions.DEFAULT);
      other.capabilities = new io.vertxrdma.core.QueuePairCapabilities(1, 1, 1, 1, 0);
      firsts.add(other.createPair().number());
    }
    areRandom(firsts, 24);
  }
}
