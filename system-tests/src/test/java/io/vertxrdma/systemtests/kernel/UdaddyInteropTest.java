package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.systemtests.interop.UdaddyPeer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Datagrams against {@code udaddy} of rdma-core on the kernel's rxe, in both roles: the native
 * provider on the same device, the soft one in the network namespace at the other end of the wire.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class UdaddyInteropTest {

  private static final String PEER_ADDRESS = "10.77.0.2";

  @BeforeAll
  static void there_is_a_device() {
    Command.requireNativeProvider();
  }

  private static boolean isNative(String provider) {
    return provider.equals("native");
  }

  private static Command peer(
      String role, String provider, String address, String count, String size) throws Exception {
    return Command.java(
        "Java " + role,
        isNative(provider) ? List.of() : List.of("ip", "netns", "exec", "peer"),
        isNative(provider) ? List.of() : List.of("-Dvertx.rdma.soft.addresses=" + PEER_ADDRESS),
        UdaddyPeer.class.getName(),
        role,
        provider,
        address,
        count,
        size);
  }

  @ParameterizedTest(name = "{0}, {1} of {2} bytes")
  @CsvSource({"native, 10, 100", "soft, 50, 1024"})
  void udaddy_asks_us(String provider, String count, String size) throws Exception {
    String address = isNative(provider) ? Command.ADDRESS : PEER_ADDRESS;
    try (Command server = peer("server", provider, address, count, size).listens(false);
        Command client =
            Command.program(
                "udaddy client",
                "udaddy",
                "-s",
                address,
                "-b",
                Command.ADDRESS,
                "-C",
                count,
                "-S",
                size)) {
      conclude(client, server);
      assertThat(server.out()).contains("answered " + count + " datagrams of " + size + " bytes");
    }
  }

  @ParameterizedTest(name = "{0}, {1} of {2} bytes")
  @CsvSource({"native, 10, 100", "soft, 50, 1024"})
  void we_ask_udaddy(String provider, String count, String size) throws Exception {
    try (Command server =
            Command.program(
                "udaddy server", "udaddy", "-b", Command.ADDRESS, "-C", count, "-S", size);
        Command client = peer("client", provider, Command.ADDRESS, count, size)) {
      conclude(server, client);
      assertThat(client.out()).contains("exchanged " + count + " datagrams of " + size + " bytes");
    }
  }

  private static void conclude(Command udaddy, Command ours) throws Exception {
    assertThat(ours.exitCode()).as("%s%n%s", ours.transcript(), udaddy.transcript()).isZero();
    assertThat(udaddy.exitCode()).as(udaddy.transcript()).isZero();
    assertThat(udaddy.out()).contains("data transfers complete", "return status 0");
  }
}
