package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service called from another process, over the kernel's RDMA. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RpcDemoTest {

  @Test
  void calls_are_answered_miss_their_deadline_and_are_cancelled() throws Exception {
    Command.requireNativeProvider();
    try (Command demo =
        Command.vertxRdma("demo", "rpc", "demo", "--calls", "500", "--port", "18530")) {
      int exitCode = demo.exitCode();
      System.out.println(demo.transcript());

      assertThat(exitCode).as(demo.transcript()).isZero();
      assertThat(demo.out())
          .anyMatch(line -> line.contains("get colour: 500 calls, 64 at once, 500 answered"))
          .anyMatch(line -> line.contains("deadline missed: no answer within 100 ms"))
          .anyMatch(line -> line.contains("cancelled: the call was cancelled"))
          .endsWith("--    | every call came to the end it should");
    }
  }
}
