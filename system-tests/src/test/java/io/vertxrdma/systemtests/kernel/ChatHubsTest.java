package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three chat hubs that find each other, over the kernel's RDMA. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ChatHubsTest {

  @Test
  void hubs_share_a_room_and_one_that_is_killed_comes_back_to_what_was_said() throws Exception {
    Command.requireNativeProvider();
    try (Command demo =
        Command.vertxRdma("demo", "chat", "demo", "--hubs", "3", "--port", "18540")) {
      // Each takes its time where a JVM is emulated.
      for (String step :
          List.of(
              "hub1| listening",
              "hub2| listening",
              "hub3| listening",
              "--  | hub2 is killed",
              "--  | hub2 is back")) {
        demo.seesLine(step, line -> line.startsWith(step));
      }
      int exitCode = demo.exitCode();
      System.out.println(demo.transcript());

      assertThat(exitCode).as(demo.transcript()).isZero();
      assertThat(demo.out())
          .contains("eve | bob: and so am I")
          .anyMatch(line -> line.startsWith("ada | * bob is gone: hub " + Command.ADDRESS))
          .anyMatch(line -> line.matches("bob \\| \\[\\d\\d:\\d\\d] eve: we are still here"))
          .endsWith("--  | everybody heard what they should");
    }
  }
}
