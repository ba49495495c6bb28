package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.demos.SoftUdpPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The demonstrations as a user runs them: every hub and every member is a process. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ExtendWith(SoftUdpPort.class)
class ChatDemoTest {

  private static List<String> transcript(String... options) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("chat", "demo", "--provider", "soft"));
    arguments.addAll(Arrays.asList(options));
    List<String> shown = new CopyOnWriteArrayList<>();
    try (DemoProcess demo = new DemoProcess("demo", shown::add, arguments)) {
      int exitStatus = demo.exitStatus();

      assertThat(exitStatus).as(String.join("\n", shown)).isZero();
    }
    return shown;
  }

  @Test
  void membersOfAHubHearEachOtherAndWhoComesLateReadsTheHistory() throws Exception {
    assertThat(transcript())
        .contains(
            "hub | * ada joined, 1 here",
            "bob | ada: hello, this line is an RDMA write into each member's ring",
            "ada | bob: and the immediate said which slot to read",
            "eve | * here: ada, bob, eve",
            "ada | * bob left",
            "eve | * bob left",
            "--  | everybody heard what they should")
        .anyMatch(line -> line.matches("eve \\| \\[\\d\\d:\\d\\d] ada: hello, this line .*"));
  }

  @Test
  void threeHubsShareARoomAndOneThatIsKilledComesBackToWhatWasSaid() throws Exception {
    assertThat(transcript("--hubs", "3"))
        .contains(
            "bob | ada: one room, three hubs, RDMA between them",
            "eve | ada: one room, three hubs, RDMA between them",
            "ada | eve: we are still here",
            "ada | bob: and so am I",
            "eve | bob: and so am I",
            "--  | everybody heard what they should")
        .anyMatch(line -> line.matches("ada \\| \\* bob is gone: hub 127\\.0\\.0\\.\\d+:18517 .*"))
        .anyMatch(line -> line.matches("eve \\| \\* bob is gone: hub 127\\.0\\.0\\.\\d+:18517 .*"))
        .anyMatch(line -> line.matches("bob \\| \\[\\d\\d:\\d\\d] eve: we are still here"));
  }
}
