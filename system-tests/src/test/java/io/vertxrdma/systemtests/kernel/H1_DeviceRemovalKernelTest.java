package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A device of its own loses its port and is removed while a server listens and a connection is
 * open; another device then has the address. Needs the rights to make network interfaces.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class H1_DeviceRemovalKernelTest {

  private static final String ADDRESS = "10.79.0.1";

  private final List<Process> background = new ArrayList<>();

  @BeforeEach
  void makeDevice() throws Exception {
    Command.requireNativeProvider();
    run("ip link add rdmatest0 type dummy");
    run("ip addr add " + ADDRESS + "/24 dev rdmatest0");
    run("ip link set rdmatest0 up");
    run("rdma link add rxetest0 type rxe netdev rdmatest0");
  }

  @AfterEach
  void removeDevices() throws Exception {
    // Interfaces take their devices with them.
    new ProcessBuilder("bash", "-c", "ip link del rdmatest0; ip link del rdmatest1")
        .inheritIO()
        .start()
        .waitFor(60, TimeUnit.SECONDS);
    for (Process process : background) {
      process.waitFor(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_port_that_goes_down_and_comes_back_is_told() throws Exception {
    try (Command ends = Command.java("ends", DeviceEventsMain.class, ADDRESS, ADDRESS)) {
      ends.sees("connected on rxetest0");
      run("ip link set rdmatest0 down");
      ends.sees("event PORT_ERR on rxetest0 port 1");
      run("ip link set rdmatest0 up");
      ends.sees("event PORT_ACTIVE on rxetest0 port 1");
      assertThat(ends.out()).noneMatch(line -> line.startsWith("broken"));
    }
  }

  @Test
  void everything_on_a_removed_device_ends_and_the_listener_is_back_when_the_address_is()
      throws Exception {
    try (Command ends = Command.java("ends", DeviceEventsMain.class, ADDRESS, ADDRESS)) {
      ends.sees("connected on rxetest0");

      // Comes back only when the process has ended: librdmacm keeps the device open.
      background.add(new ProcessBuilder("rdma", "link", "del", "rxetest0").inheritIO().start());

      ends.sees("event DEVICE_REMOVAL on rxetest0");
      ends.seesLine(
          "the loss of the listener",
          line -> line.startsWith("event LISTENER_DOWN on rxetest0: RDMA_CM_EVENT_DEVICE_REMOVAL"));
      ends.sees("closed");
      run("ip addr del " + ADDRESS + "/24 dev rdmatest0");
      run("ip link add rdmatest1 type dummy");
      run("ip addr add " + ADDRESS + "/24 dev rdmatest1");
      run("ip link set rdmatest1 up");
      run("rdma link add rxetest1 type rxe netdev rdmatest1");
      ends.sees("event LISTENER_UP on rxetest1");
      ends.types("connect");
      ends.sees("connected on rxetest1");
    }
  }

  @Test
  void a_listener_on_all_addresses_survives_its_devices() throws Exception {
    try (Command ends = Command.java("ends", DeviceEventsMain.class, "0.0.0.0", ADDRESS)) {
      ends.sees("connected on rxetest0");
      background.add(new ProcessBuilder("rdma", "link", "del", "rxetest0").inheritIO().start());
      ends.sees("closed");
      run("ip addr del " + ADDRESS + "/24 dev rdmatest0");
      run("ip link add rdmatest1 type dummy");
      run("ip addr add " + ADDRESS + "/24 dev rdmatest1");
      run("ip link set rdmatest1 up");
      run("rdma link add rxetest1 type rxe netdev rdmatest1");
      ends.types("connect");
      ends.sees("connected on rxetest1");
      assertThat(ends.out()).noneMatch(line -> line.contains("LISTENER_DOWN"));
    }
  }

  private static void run(String command) throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder(command.split(" "))
                .redirectErrorStream(true)
                .inheritIO()
                .start()
                .waitFor())
        .as(command)
        .isZero();
  }
}
