package io.vertxrdma.demos.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.demos.SoftUdpPort;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands: the demonstration in processes of its own, and arguments that are wrong. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ExtendWith(SoftUdpPort.class)
class RpcProcessesTest {

  @Test
  void theDemonstrationCallsMissesADeadlineAndCancels() throws Exception {
    List<String> shown = new CopyOnWriteArrayList<>();
    try (DemoProcess demo =
        new DemoProcess(
            "demo", shown::add, List.of("rpc", "demo", "--calls", "500", "--provider", "soft"))) {
      int exitStatus = demo.exitStatus();

      assertThat(exitStatus).as(String.join("\n", shown)).isZero();
    }
    assertThat(shown)
        .contains(
            "client| put colour blue -> done",
            "client| get colour -> blue",
            "client| get shape -> error 404: there is no key shape",
            "client| sleep 3000 -> deadline missed: no answer within 100 ms",
            "client| sleep 3000 -> cancelled: the call was cancelled",
            "--    | every call came to the end it should")
        .anyMatch(
            line ->
                line.matches(
                    "client\\| get colour: 500 calls, 64 at once, 500 answered, 0 failed, .*"))
        .anyMatch(line -> line.matches("client\\| latency, us .*50% .*99.9% .*"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rpc",
        "rpc serve --slots 0",
        "rpc serve --slot-size 63",
        "rpc serve --port 0",
        "rpc call get colour",
        "rpc call --to 10.0.0.1 delete colour",
        "rpc call --to 10.0.0.1 get",
        "rpc call --to 10.0.0.1 put colour",
        "rpc call --to 10.0.0.1 sleep long",
        "rpc call --to 10.0.0.1 --count 0 get colour",
        "rpc call --to 10.0.0.1 --deadline 0 get colour",
        "rpc call --to 10.0.0.1 --count 2 --cancel-after 5 get colour",
        "rpc demo --calls 1",
      })
  void wrongArgumentsAreOneLineAndExitCode64(String arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Environment environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            List::of);

    assertThat(Main.run(environment, arguments.split(" "))).isEqualTo(64);

    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("vertx-rdma: ").contains("--help");
  }
}
