package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log whose client and server are killed while it is shipped over the kernel's RDMA. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LogsyncKilledTest {

  @TempDir private Path directory;

  @BeforeAll
  static void requireNativeProvider() {
    Command.requireNativeProvider();
  }

  @Test
  void a_log_is_whole_after_client_and_server_were_killed_in_the_middle_of_it() throws Exception {
    Path log = Files.write(directory.resolve("app.log"), new byte[16 << 20]);
    Path copy = directory.resolve("out").resolve("app.log");
    try (Command server = serve("first", 512);
        Command killed = send(log)) {
      server.seesLine("progress", line -> line.contains("MiB/s"));
      killed.signal("KILL");
      server.seesLine("the client's end", line -> line.contains("app.log: left"));
      assertThat(Files.size(copy)).isBetween(1L, Files.size(log) - 1);
      try (Command client = send(log)) {
        server.seesLine("progress", line -> line.contains("MiB/s"));
        server.signal("KILL");
        server.exitCode();
        assertThat(Files.size(copy)).isLessThan(Files.size(log));
        try (Command restarted = serve("second", 1 << 16)) {
          assertThat(client.exitCode()).as(client.transcript()).isZero();
          System.out.println(client.transcript());
          System.out.println(restarted.transcript());
        }
      }
    }
    assertThat(copy).hasSameBinaryContentAs(log);
  }

  private Command serve(String name, int segment) throws Exception {
    return Command.vertxRdma(
            name,
            "logsync",
            "serve",
            "--address",
            Command.ADDRESS,
            "--port",
            "18529",
            "--directory",
            directory.resolve("out").toString(),
            "--segment",
            String.valueOf(segment))
        .listens(true);
  }

  /** One segment at a time: there is a middle to be killed in. */
  private static Command send(Path log) throws Exception {
    return Command.vertxRdma(
        "client",
        "logsync",
        "send",
        "--to",
        Command.ADDRESS,
        "--port",
        "18529",
        "--inflight",
        "1",
        log.toString());
  }
}
