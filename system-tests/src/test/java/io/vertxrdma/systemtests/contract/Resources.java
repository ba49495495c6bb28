package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What this process, and on the native provider the kernel, holds at one moment.
 *
 * @param descriptors open file descriptors
 * @param threads names of the live threads, sorted
 * @param directMemory bytes of direct buffers
 * @param kernelObjects objects of the RDMA devices by kind (qp, cm_id, mr, ...), as {@code rdma
 *     resource show} counts them; empty for a provider without a kernel
 */
record Resources(
    long descriptors, List<String> threads, long directMemory, Map<String, Integer> kernelObjects) {

  private static final Pattern COUNT = Pattern.compile("\\b([a-z_]+) (\\d+)\\b");

  /** Counts, after asking for what is garbage to be freed. */
  static Resources now(boolean kernel) {
    System.gc();
    long direct = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        direct = pool.getMemoryUsed();
      }
    }
    return new Resources(
        openDescriptors(), liveThreads(), direct, kernel ? rdmaResources() : Map.of());
  }

  private static List<String> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        // They come with the measurement.
        .filter(name -> !name.startsWith("awaitility") && !name.equals("process reaper"))
        .sorted()
        .toList();
  }

  private static long openDescriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      // The folder itself is open while it is read.
      return open.count() - 1;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Map<String, Integer> rdmaResources() {
    try {
      Process rdma =
          new ProcessBuilder("rdma", "resource", "show").redirectErrorStream(true).start();
      String text = new String(rdma.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (rdma.waitFor() != 0) {
        throw new AssertionError("rdma resource show: " + text);
      }
      Map<String, Integer> counts = new TreeMap<>();
      Matcher matcher = COUNT.matcher(text);
      while (matcher.find()) {
        counts.merge(matcher.group(1), Integer.valueOf(matcher.group(2)), Integer::sum);
      }
      return counts;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** Same with room for buffers that are kept in a pool. */
  Resources withMoreDirectMemory(long bytes) {
    return new Resources(descriptors, threads, directMemory + bytes, kernelObjects);
  }

  /** Checks that nothing is more than it was then; direct memory within a hundredth. */
  void assertNoMoreThan(Resources then) {
    String both = "before " + then + ", now " + this;
    assertThat(descriptors).as("descriptors: %s", both).isLessThanOrEqualTo(then.descriptors);
    assertThat(threads).as("threads: %s", both).isSubsetOf(then.threads);
    assertThat(threads).as("threads: %s", both).hasSizeLessThanOrEqualTo(then.threads.size());
    assertThat(directMemory)
        .as("direct memory: %s", both)
        .isLessThanOrEqualTo(then.directMemory + then.directMemory / 100);
    assertThat(kernelObjects).as("kernel objects: %s", both).isEqualTo(then.kernelObjects);
  }
}
