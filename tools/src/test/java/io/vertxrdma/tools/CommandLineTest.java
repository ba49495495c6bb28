package io.vertxrdma.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.RdmaProvider;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

  private static final List<RdmaProvider> NOTHING =
      List.of(missing("native", "this machine has no RDMA device"));

  /** A provider that can't be used here, and of which nothing else may be asked. */
  static RdmaProvider missing(String name, String reason) {
    return (RdmaProvider)
        Proxy.newProxyInstance(
            CommandLineTest.class.getClassLoader(),
            new Class<?>[] {RdmaProvider.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> name;
                  case "availability" ->
                      Availability.unavailable(Availability.Cause.NO_DEVICE, reason);
                  default -> throw new AssertionError("asked for " + method);
                });
  }

  @Test
  void theVersionIsTheOneThatWasBuilt() {
    CommandRun run = CommandRun.with(NOTHING, "--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).matches("vertx-rdma \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "--unknown",
        "devices surplus",
        "watch surplus",
        "watch --interval 0.09",
        "watch --interval 3601",
        "watch --interval often",
        "watch --count 0",
        "watch --provider nobody",
        "selftest surplus",
        "selftest --timeout 0",
        "selftest --timeout 601",
        "selftest --provider nobody",
        "bench",
        "bench serve",
        "bench connect --address 10.0.0.1 --mode sideways",
        "bench connect --address 10.0.0.1 --count many",
        "bench connect --address 10.0.0.1 --count 0",
        "bench connect --address 10.0.0.1 --length 65537",
        "bench connect --address 10.0.0.1 --port 0",
        "bench connect --address 10.0.0.1 --spin 10001",
        "bench connect --address 10.0.0.1 --timeout 0",
        "bench connect --address 10.0.0.1 --provider nobody",
      })
  void wrongArgumentsAreOneLineAndExitCode64(String arguments) {
    CommandRun run =
        CommandRun.with(NOTHING, arguments.isEmpty() ? new String[0] : arguments.split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("vertx-rdma: ").contains("--help");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices",
        "devices --provider native",
        "watch",
        "watch --provider native --json",
        "selftest",
        "selftest --json --address 10.0.0.1",
        "bench serve --address 10.0.0.1",
        "bench connect --address 10.0.0.1",
        "bench connect --address 10.0.0.1 --provider native"
      })
  void withoutADeviceThereIsOneSentenceAndExitCode3(String arguments) {
    CommandRun run = CommandRun.with(NOTHING, arguments.split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_DEVICE);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("this machine has no RDMA device");
  }

  @Test
  void everyProviderSaysWhyItIsMissing() {
    List<RdmaProvider> both =
        List.of(missing("native", "no device"), missing("soft", "no permission"));

    CommandRun run = CommandRun.with(both, "bench", "serve", "--address", "10.0.0.1");

    assertThat(run.err()).contains("native: no device; soft: no permission");
  }

  @Test
  void withoutADeviceJsonIsStillJson() {
    assertThat(CommandRun.with(NOTHING, "devices", "--json").out())
        .isEqualToIgnoringWhitespace("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-v", "--debug"})
  void aStackTraceIsThereForThoseWhoAsk(String option) {
    CommandRun run = CommandRun.with(NOTHING, "bench", "serve", "--address", "10.0.0.1", option);

    assertThat(run.err()).contains("\tat ");
  }
}
