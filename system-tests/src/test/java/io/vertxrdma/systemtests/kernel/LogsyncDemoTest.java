package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logs shipped between processes over the kernel's RDMA. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LogsyncDemoTest {

  @Test
  void too_few_receives_make_the_device_refuse_writes_and_the_planned_ones_do_not()
      throws Exception {
    Command.requireNativeProvider();
    String arguments =
        "logsync demo --port 18528 --clients 2 --inflight 64 --receives 16 --srq auto"
            + " --segment 4096 --rnr-timer 12";
    try (Command demo = Command.vertxRdma("demo", arguments.split(" "))) {
      int exitCode = demo.exitCode();
      System.out.println(demo.transcript());

      assertThat(exitCode).as(demo.transcript()).isZero();
      assertThat(demo.out())
          .anyMatch(line -> line.matches("16 +[1-9]\\d* .* 2 identical"))
          .anyMatch(line -> line.matches("128 \\(auto\\) +0 .* 2 identical"))
          .endsWith("--     | all files are identical");
    }
  }
}
