package io.vertxrdma.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Time stands still until the test lets an interval pass, which it does on what was printed. */
@Timeout(60)
class WatchCommandTest {

  private static final String SYSFS = "vertx.rdma.sysfs";
  private static final int PORT_ERR = 10;
  private static final int QP_LAST_WQE_REACHED = 16;

  @TempDir Path sysfs;

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider hardware = FakeProvider.over(fake);
  private final Time time = new Time();
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void counters() throws IOException {
    System.setProperty(SYSFS, sysfs.toString());
    counter("sent_pkts", "1000");
    counter("rcvd_pkts", "5");
  }

  @AfterEach
  void close() {
    System.clearProperty(SYSFS);
    fake.close();
  }

  private void counter(String name, String value) {
    try {
      Path file = sysfs.resolve("fake0/ports/1/hw_counters").resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, value + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Runs the command; the script is called with each line, on the thread that printed it. */
  private int run(Consumer<String> script, String... arguments) {
    Environment environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(
                new Lines(
                    line -> {
                      lines.add(line);
                      script.accept(line);
                    }),
                true),
            new PrintWriter(Writer.nullWriter()),
            () -> List.of(hardware));
    return WatchCommand.commandLine(environment, time).execute(arguments);
  }

  @Test
  void aCounterThatMovesIsShownWithItsDifferencePerSecond() {
    int exitCode =
        run(
            line -> {
              if (line.startsWith("Watching")) {
                counter("sent_pkts", "1500");
                time.pass(2);
              }
            },
            "--count",
            "1");

    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).isEqualTo("Watching fake0, counters every 1 s, once.");
    assertThat(lines.get(1)).matches("\\d\\d:\\d\\d:\\d\\d  fake0 port 1");
    assertThat(lines.get(2)).matches(" {10}sent_pkts +\\+500 +250/s");
    assertThat(time.asked).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void eachIntervalHasOnlyWhatMovedInIt() {
    run(
        line -> {
          if (line.startsWith("Watching")) {
            counter("sent_pkts", "1001");
            time.pass(1);
          } else if (line.contains("sent_pkts")) {
            counter("rcvd_pkts", "25");
            time.pass(1);
          }
        },
        "--count",
        "2",
        "--interval",
        "0.5");

    assertThat(lines).filteredOn(line -> line.contains("_pkts")).hasSize(2);
    assertThat(lines.get(2)).matches(" +sent_pkts +\\+1 +1.0/s");
    assertThat(lines.get(4)).matches(" +rcvd_pkts +\\+20 +20.0/s");
    assertThat(time.asked).containsOnly(Duration.ofMillis(500)).hasSize(2);
  }

  @Test
  void anEventIsShownWhenItComesWithoutAnIntervalThatPasses() {
    run(
        line -> {
          if (line.startsWith("Watching")) {
            fake.asyncEvent("fake0", PORT_ERR, 1);
          } else if (line.contains("PORT_ERR")) {
            assertThat(time.passed).isZero();
            time.pass(1);
          }
        },
        "--count",
        "1");

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).endsWith("  fake0 port 1: the port is down (IBV_EVENT_PORT_ERR)");
  }

  @Test
  void jsonIsOneObjectALine() {
    run(
        line -> {
          JsonObject object = new JsonObject(line);
          if (object.getString("kind").equals("watching")) {
            counter("rcvd_pkts", "18446744073709551615");
            fake.asyncEvent("fake0", PORT_ERR, 1);
          } else if (object.getString("kind").equals("event")) {
            time.pass(4);
          }
        },
        "--json",
        "--count",
        "1");

    assertThat(lines).hasSize(3);
    String now = Time.START.toString();
    assertThat(new JsonObject(lines.get(0)))
        .isEqualTo(
            new JsonObject()
                .put("time", now)
                .put("kind", "watching")
                .put("devices", new JsonArray().add("fake0")));
    assertThat(new JsonObject(lines.get(1)))
        .isEqualTo(
            new JsonObject()
                .put("time", now)
                .put("kind", "event")
                .put("provider", "native")
                .put("device", "fake0")
                .put("port", 1)
                .put("type", "IBV_EVENT_PORT_ERR")
                .put("number", PORT_ERR)
                .put("text", "the port is down"));
    JsonObject counters = new JsonObject(lines.get(2));
    assertThat(counters.getInteger("seconds")).isEqualTo(4);
    assertThat(counters.getInteger("port")).isEqualTo(1);
    JsonObject moved = counters.getJsonObject("counters");
    assertThat(moved.fieldNames()).containsExactly("rcvd_pkts");
    assertThat(moved.getJsonObject("rcvd_pkts").getValue("difference"))
        .hasToString("18446744073709551610");
  }

  @Test
  void aDeviceThatComesIsWatchedToo() {
    run(
        line -> {
          if (line.startsWith("Watching")) {
            fake.device("fake1").address("10.0.1.1");
            time.pass(1);
          } else if (line.contains("there is now")) {
            fake.asyncEvent("fake1", PORT_ERR, 1);
          } else if (line.contains("PORT_ERR")) {
            time.pass(1);
          }
        },
        "--count",
        "2");

    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).endsWith("  fake1: there is now this native device");
    assertThat(lines.get(2)).contains("fake1 port 1: the port is down");
  }

  @Test
  void aDeviceThatGoesIsSaidToBeGone() {
    fake.device("fake1").address("10.0.1.1");

    run(
        line -> {
          if (line.startsWith("Watching")) {
            fake.removeDevice("fake1");
            time.pass(1);
          }
        },
        "--count",
        "1");

    assertThat(lines).anyMatch(line -> line.endsWith("  fake1: this native device is gone"));
  }

  @Test
  void aWatchThatSawNothingSaysSo() {
    run(line -> time.pass(1), "--count", "1");

    assertThat(lines).last().isEqualTo("Nothing moved.");
  }

  @Test
  void textFitsEightyColumns() {
    String name = "port_rcv_remote_physical_errors_long";
    run(
        line -> {
          if (line.startsWith("Watching")) {
            counter(name, "99999999999999");
            fake.asyncEvent("fake0", QP_LAST_WQE_REACHED, 0);
          } else if (line.contains("queue pair")) {
            time.pass(1);
          }
        },
        "--count",
        "1");

    assertThat(lines).anyMatch(line -> line.contains(name));
    assertThat(lines).anyMatch(line -> line.contains("QP_LAST_WQE_REACHED"));
    assertThat(lines).allMatch(line -> line.length() <= 80);
  }

  /** Hands on each whole line. */
  private static final class Lines extends Writer {

    private final Consumer<String> consumer;
    private final StringBuilder line = new StringBuilder();

    Lines(Consumer<String> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        if (characters[i] == '\n') {
          String whole = line.toString();
          line.setLength(0);
          consumer.accept(whole);
        } else if (characters[i] != '\r') {
          line.append(characters[i]);
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** A pause ends when the test says so, before or after it began. */
  private static final class Time implements Pacer {

    static final Instant START = Instant.parse("2020-01-01T12:00:00Z");

    final List<Duration> asked = new ArrayList<>();
    private Promise<Void> pause = Promise.promise();
    private long passed;

    synchronized void pass(long seconds) {
      passed += seconds;
      pause.complete();
    }

    @Override
    public synchronized Future<Void> pause(Vertx vertx, Duration duration) {
      asked.add(duration);
      Future<Void> future = pause.future();
      return future.onComplete(over -> renew());
    }

    private synchronized void renew() {
      pause = Promise.promise();
    }

    @Override
    public synchronized long nanoTime() {
      return Duration.ofSeconds(passed).toNanos();
    }

    @Override
    public Instant now() {
      return START;
    }
  }
}
