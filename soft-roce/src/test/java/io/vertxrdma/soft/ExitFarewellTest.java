package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that ends without closing its connections says goodbye to the peers. */
@Timeout(120)
class ExitFarewellTest {

  private final int udpPort = Spi.freeUdpPort();
  private final SoftProviderOptions options = new SoftProviderOptions().setUdpPort(udpPort);
  private final SoftProvider provider = new SoftProvider(options);
  private final Spi server = new Spi(provider);
  private Process peer;

  @AfterEach
  void close() {
    if (peer != null) {
      peer.destroyForcibly();
    }
    server.close();
  }

  /** A peer of another process that is connected. */
  private CmId connected(String end) throws Exception {
    CmId listener = server.listen("127.0.0.1");
    peer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ExitMain.class.getName(),
                String.valueOf(udpPort),
                String.valueOf(listener.localAddress().getPort()),
                end)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    CmEvent request = server.next(CmEventType.CONNECT_REQUEST);
    server.track(request.id());
    server.verbs(request.id());
    request.id().accept(Spi.PARAMETERS);
    server.next(CmEventType.ESTABLISHED);
    BufferedReader output = new BufferedReader(new InputStreamReader(peer.getInputStream()));
    // A machine with loopback alone has Netty warn first that it found no hardware address.
    assertThat(output.lines().anyMatch("connected"::equals)).as("the peer is connected").isTrue();
    return request.id();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from main",
        "from the event loop",
        "by its last thread",
        "by a signal",
        "when it closed everything in a hook"
      })
  void the_peer_sees_a_disconnect_of_a_process_that_ends(String end) throws Exception {
    CmId id = connected(end);

    if (end.equals("by a signal")) {
      peer.destroy();
    }

    CmEvent event = server.next(CmEventType.DISCONNECTED);
    assertThat(event.id()).isSameAs(id);
    assertThat(event.status()).isZero();
    assertThat(peer.waitFor(60, TimeUnit.SECONDS)).as("the process ends").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"in silence", "by a kill"})
  void a_process_that_is_killed_or_shall_not_ends_in_silence(String end) throws Exception {
    connected(end);

    if (end.equals("by a kill")) {
      peer.destroyForcibly();
    } else {
      // Not sooner: in silence it doesn't even wait for its last message of the handshake to leave.
      peer.getOutputStream().close();
    }

    assertThat(peer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    // Everything it sent is in the socket by now: one more connection is later than that.
    CmId asking = server.resolved(PortSpace.TCP, Spi.at("127.0.0.1", 1));
    server.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    server.next(CmEventType.REJECTED);
  }

  @Test
  void the_jvm_knows_a_hook_only_while_there_are_connections() {
    SoftDevice device = (SoftDevice) provider.deviceFor(Spi.ip("127.0.0.1")).orElseThrow();
    CmId listener = server.listen("127.0.0.1");
    assertThat(device.hasExitHook()).isFalse();
    CmId asking = server.resolved(PortSpace.TCP, listener.localAddress());
    server.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    CmEvent request = server.next(CmEventType.CONNECT_REQUEST);
    assertThat(device.hasExitHook()).isTrue();

    request.id().close();
    server.next(CmEventType.REJECTED);
    asking.close();

    assertThat(device.hasExitHook()).isFalse();
  }

  @Test
  void the_grace_of_the_exit_has_bounds() {
    assertThat(new SoftProviderOptions(options.setExitGraceMillis(7)).getExitGraceMillis())
        .isEqualTo(7);
    assertThatThrownBy(() -> options.setExitGraceMillis(-2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1..10000")
        .hasMessageContaining("-2");
    assertThatThrownBy(() -> options.setExitGraceMillis(10_001)).hasMessageContaining("10001");
  }
}
