package io.vertxrdma.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three processes that a cluster manager brings together, of which one is killed. */
@Timeout(300)
class RdmaDirectoryClusterTest {

  private final String cluster = "directory-" + ProcessHandle.current().pid() + System.nanoTime();
  private final List<Member> members = new ArrayList<>();

  /** A process and what it printed. */
  private record Member(Process process, List<String> lines) {

    String last() {
      return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
  }

  @AfterEach
  void endAll() {
    members.forEach(each -> each.process().destroyForcibly());
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }

  private Member start(int clusterPort, int firstPort, int rdmaPort) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DirectoryMember.class.getName(),
                cluster,
                String.valueOf(clusterPort),
                String.valueOf(firstPort),
                String.valueOf(rdmaPort))
            .redirectErrorStream(true)
            .start();
    Member member = new Member(process, new CopyOnWriteArrayList<>());
    members.add(member);
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader output = process.inputReader()) {
                output
                    .lines()
                    .filter(line -> line.startsWith("seen "))
                    .forEach(member.lines()::add);
              } catch (IOException | java.io.UncheckedIOException ended) {
                // The process was killed.
              }
            });
    reader.setDaemon(true);
    reader.start();
    return member;
  }

  private static void untilSeen(String ports, Member... by) {
    Awaitility.await("seen " + ports)
        .atMost(Duration.ofSeconds(100))
        .until(() -> List.of(by).stream().allMatch(each -> each.last().equals("seen " + ports)));
  }

  @Test
  void allSeeAllAndWhoIsKilledIsMissedUntilItIsBack() throws Exception {
    int first = freePort();
    Member one = start(first, first, 1001);
    untilSeen("1001", one);
    Member two = start(freePort(), first, 1002);
    Member three = start(freePort(), first, 1003);
    untilSeen("1001 1002 1003", one, two, three);

    two.process().destroyForcibly();

    untilSeen("1001 1003", one, three);
    Member again = start(freePort(), first, 1002);
    untilSeen("1001 1002 1003", one, three, again);
    assertThat(one.process().isAlive()).isTrue();
  }
}
