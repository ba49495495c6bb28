package io.vertxrdma.benchmarks.endtoend;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What many connections in one process take: time to connect, time to write, memory. */
final class ManyConnections {

  private static final int SECONDS = 300;
  private static final int COLLECTIONS = 3;

  private ManyConnections() {}

  static void measure(int count, Samples samples) throws IOException, TimeoutException {
    String subject = "soft, " + count + " connections in one process";
    try (Bench bench = new Bench()) {
      RdmaTraffic traffic = bench.rdma(Bench.Place.ONE_LOOP, 8, 256, count);
      long heapBefore = usedHeap();
      long directBefore = usedDirect();
      long began = System.nanoTime();
      traffic.connectAll().await(SECONDS, TimeUnit.SECONDS);
      long connected = System.nanoTime();
      traffic.writeOnEach().await(SECONDS, TimeUnit.SECONDS);
      long written = System.nanoTime();
      samples.add(subject, "connecting one after the other", (connected - began) / 1e6, "ms");
      samples.add(subject, "one immediate on each", (written - connected) / 1e6, "ms");
      samples.add(subject, "immediates that arrived", bench.taken(), "");
      // Both ends are here.
      double ends = 2.0 * count;
      samples.add(subject, "heap per end", (usedHeap() - heapBefore) / ends, "B");
      samples.add(subject, "direct memory per end", (usedDirect() - directBefore) / ends, "B");
      traffic.close().await(SECONDS, TimeUnit.SECONDS);
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Of the JDK and of Netty, which has its own ways. */
  private static long usedDirect() {
    long jdk =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return jdk + Math.max(0, PlatformDependent.usedDirectMemory());
  }
}
