package io.vertxrdma.tools.ping;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.tools.CommandRun;
import io.vertxrdma.tools.ExitCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides over the fake native layer, whose wire is memory. */
@Timeout(120)
class PingTest {

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);

  @AfterEach
  void nothingIsLeft() {
    fake.assertClean();
    fake.close();
  }

  private CommandRun ping(String side, String options) {
    String line = "ping " + side + " --address 10.0.0.1 " + options;
    return CommandRun.with(List.of(provider), line.split(" "));
  }

  private CompletableFuture<CommandRun> serve(String options) throws Exception {
    CompletableFuture<Void> bound = new CompletableFuture<>();
    fake.after("rdma_listen", call -> bound.complete(null));
    CompletableFuture<CommandRun> serving =
        CompletableFuture.supplyAsync(() -> ping("serve", options));
    bound.get(60, TimeUnit.SECONDS);
    return serving;
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 4096, 100_001})
  void everyPingComesBackAsSent(int size) throws Exception {
    CompletableFuture<CommandRun> serving = serve("-S " + size);

    CommandRun client = ping("connect", "-C 300 -V -S " + size);
    CommandRun server = serving.get(60, TimeUnit.SECONDS);

    assertThat(client.out())
        .as(client.err())
        .startsWith("300 pings of " + size + " bytes, all as sent, round trip ");
    assertThat(server.out()).as(server.err()).isEqualTo("answered 300 pings" + nl());
    assertThat(server.err()).isEqualTo("listening on 10.0.0.1:7174" + nl());
    assertThat(client.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(server.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aClientWithLargerPingsIsToldAndNotServed() throws Exception {
    CompletableFuture<CommandRun> serving = serve("-S 64");

    CommandRun client = ping("connect", "-S 128");
    CommandRun server = serving.get(60, TimeUnit.SECONDS);

    assertThat(server.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(server.err()).contains("the peer offers 128 bytes, but this side's size is 64");
    assertThat(client.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aPeerThatNeverAnswersIsGivenUpOn() {
    // The fake wire establishes what nobody listens for; such a peer has no receive posted either.
    CommandRun client = ping("connect", "--timeout 1");

    assertThat(client.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(client.err()).contains("not done within 1 seconds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-S 31", "-S 1048577", "-C 0", "--port 0", "--timeout 601"})
  void numbersOutOfRangeAreRefused(String option) {
    CommandRun client = ping("connect", option);

    assertThat(client.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(client.err()).contains(" must be ");
  }

  private static String nl() {
    return System.lineSeparator();
  }
}
