package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.systemtests.interop.OperationsPeer;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Atomics, reads and sends with and without immediate, of the soft provider on the kernel's rxe and
 * of that on the soft provider: one connection has both, each side asking in its turn. What each
 * operation finds, and what it leaves behind, is checked by the programs at both ends.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class VerbsInteropTest {

  /** Minus 10 and the numbers up to 24; 12 of 24 swaps, each of which adds 1 to all digits. */
  private static final String LEFT = "counter 122, cell cdf0123456789abb, 20 messages";

  private OurSide soft;

  @BeforeAll
  void start_the_soft_side() throws Exception {
    soft = OurSide.soft();
  }

  @AfterAll
  void end_the_soft_side() {
    if (soft != null) {
      soft.close();
    }
  }

  @Test
  void a_C_client_and_our_server_find_what_the_other_left() throws Exception {
    Command client =
        soft.serves(
            "operations serve " + Command.SOFT_ADDRESS + " 7401",
            LEFT,
            () -> Command.peer("C", "operating-client", Command.SOFT_ADDRESS, "7401"));
    assertThat(client.out()).contains(LEFT);
  }

  @Test
  void our_client_and_a_C_server_find_what_the_other_left() throws Exception {
    Command server =
        soft.connects(
            "operations connect " + Command.ADDRESS + " 7402",
            LEFT,
            Command.peer("C", "operating-server", Command.ADDRESS, "7402").listens(false));
    assertThat(server.out()).contains(LEFT);
  }

  /** The native provider's own client. */
  @Test
  void our_two_providers_find_what_the_other_left() throws Exception {
    soft.begins("operations serve " + Command.SOFT_ADDRESS + " 7403");
    InetSocketAddress address = new InetSocketAddress(Command.SOFT_ADDRESS, 7403);
    assertThat(new OperationsPeer(RdmaProviders.named("native"), false).run(address, () -> {}))
        .isEqualTo(LEFT);
    soft.ends(LEFT);
  }
}
