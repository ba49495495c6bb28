package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code vertx-rdma selftest} on the device under test: everything it tries works there. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SelftestKernelTest {

  private static final int HEADING_LINES = 2;

  @Test
  void every_check_passes() throws Exception {
    Command.requireNativeProvider();
    try (Command selftest =
        Command.vertxRdma(
            "selftest", "selftest", "--address", Command.ADDRESS, "--timeout", "120")) {
      int exitCode = selftest.exitCode();
      System.out.println(selftest.transcript());

      assertThat(exitCode).as(selftest.transcript()).isZero();
      List<String> lines = selftest.out();
      assertThat(lines.get(0)).endsWith("(native provider) at " + Command.ADDRESS);
      int checks = lines.size() - HEADING_LINES - 1;
      assertThat(checks).isGreaterThanOrEqualTo(13);
      assertThat(lines.subList(HEADING_LINES, HEADING_LINES + checks))
          .allMatch(line -> line.matches(".* OK +\\d+"));
      assertThat(lines.get(lines.size() - 1))
          .isEqualTo(checks + " checks: " + checks + " OK, 0 failed");
      assertThat(selftest.err()).isEmpty();
    }
  }
}
