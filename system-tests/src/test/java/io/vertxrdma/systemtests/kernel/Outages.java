package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the wire between the device under test and the network namespace {@code peer} out for 100
 * ms at a time. Needs the rights to set queueing disciplines.
 */
final class Outages implements AutoCloseable {

  private static final String SECONDS = "0.1";
  private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");

  private final Command program;
  private int count;
  private long dropped;

  /** The wire is as it should be until {@link #once()}. */
  Outages() throws IOException, InterruptedException {
    // Ahead of everything else that runs: on a busy machine an outage would last longer.
    program = Command.program("outages", "chrt", "--fifo", "50", "src/test/bash/outages");
    assertThat(readDropped()).isZero();
  }

  /** One outage; returns when the wire is back. */
  void once() throws InterruptedException {
    program.types(SECONDS);
    dropped = readDropped();
    count++;
  }

  private long readDropped() throws InterruptedException {
    Matcher matcher =
        DROPPED.matcher(program.seesLine("its counts", line -> DROPPED.matcher(line).find()));
    assertThat(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** Outages so far. */
  int count() {
    return count;
  }

  /** What the device sent and outages so far swallowed, packets. */
  long dropped() {
    return dropped;
  }

  /** Leaves the wire as it was. */
  @Override
  public void close() {
    try {
      assertThat(program.types("end").exitCode()).as(program.transcript()).isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      program.close();
    }
  }
}
