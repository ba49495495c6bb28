package io.vertxrdma.demos.logsync;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.demos.SoftUdpPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own over the soft provider, and what is left of a log when one is killed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ExtendWith(SoftUdpPort.class)
class LogsyncProcessesTest {

  @TempDir private Path directory;
  private final List<DemoProcess> started = new ArrayList<>();
  private final List<String> transcript = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    started.forEach(DemoProcess::close);
  }

  private DemoProcess start(String name, String... arguments) {
    List<String> all = new ArrayList<>(List.of("logsync"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--provider", "soft"));
    DemoProcess process = new DemoProcess(name, line -> note(name + "| " + line), all);
    started.add(process);
    return process;
  }

  private synchronized void note(String line) {
    transcript.add(line);
  }

  private synchronized String transcript() {
    return String.join("\n", transcript);
  }

  private DemoProcess serve(int segment) throws InterruptedException {
    DemoProcess server =
        start(
            "server",
            "serve",
            "--address",
            "127.0.0.1",
            "--directory",
            directory.resolve("out").toString(),
            "--first-sequence",
            "4294967280",
            "--segment",
            String.valueOf(segment));
    server.sees("listening on");
    return server;
  }

  private DemoProcess send(Path log, int inflight) {
    return start(
        "client",
        "send",
        "--to",
        "127.0.0.1",
        "--inflight",
        String.valueOf(inflight),
        "--ack-timeout",
        "16",
        log.toString());
  }

  @Test
  void aLogIsWholeAfterClientAndServerWereKilledInTheMiddleOfIt() throws Exception {
    Path log = SampleLogs.write(directory, 1, 16 << 20).get(0);
    Path copy = directory.resolve("out").resolve(log.getFileName());
    // One small segment at a time: there is a middle to be killed in.
    DemoProcess server = serve(512);
    DemoProcess client = send(log, 1);
    server.sees("durable,");

    client.kill();

    long afterFirst = Files.size(copy);
    assertThat(afterFirst).as(transcript()).isBetween(1L, Files.size(log) - 1);
    DemoProcess second = send(log, 1);
    String resumed = second.sees("the server has");
    assertThat(bytesOf(resumed)).isGreaterThanOrEqualTo(afterFirst);
    server.sees("durable,");

    server.kill();

    long afterSecond = Files.size(copy);
    assertThat(afterSecond).as(transcript()).isBetween(afterFirst, Files.size(log) - 1);
    serve(1 << 16);
    // What the client was told is durable is there, and a torn end is not.
    assertThat(bytesOf(second.sees("the server has"))).isBetween(afterFirst, afterSecond);
    assertThat(second.exitStatus()).as(transcript()).isZero();
    assertThat(copy).hasSameBinaryContentAs(log);
  }

  private static long bytesOf(String line) {
    return Long.parseLong(line.replaceAll(".*the server has (\\d+) bytes.*", "$1"));
  }

  @Test
  void theDemonstrationShowsTheStallAndTheCure() throws Exception {
    DemoProcess demo =
        start(
            "demo",
            "demo",
            "--clients",
            "4",
            "--inflight",
            "256",
            "--receives",
            "16",
            "--srq",
            "auto",
            "--megabytes",
            "1",
            "--rnr-timer",
            "12");

    assertThat(demo.exitStatus()).as(transcript()).isZero();

    String shown = transcript();
    assertThat(shown)
        .containsPattern("demo\\| 16 +[1-9]\\d* .* 4 identical")
        .containsPattern("demo\\| 1024 \\(auto\\) +0 .* 4 identical")
        .endsWith("all files are identical");
  }
}
