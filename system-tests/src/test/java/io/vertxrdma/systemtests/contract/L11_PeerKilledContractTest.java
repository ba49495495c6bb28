package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L11a: the peer's process is killed. */
class L11_PeerKilledContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  /**
   * On the native provider the kernel says goodbye for the process. A peer in software dies in
   * silence: that is noticed by the next write only.
   */
  @Test
  @Timeout(value = 240, unit = TimeUnit.SECONDS)
  void the_connection_ends() throws Exception {
    String address = System.getProperty("vertx.rdma.test.peerAddress", rig.address());
    Process peer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PeerMain.class.getName(),
                ContractRig.providerName(),
                address)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      int port = port(peer);
      RdmaClient client = rig.client(new RdmaClientOptions().setConnectTimeout(60_000));
      // The new process loads its classes meanwhile.
      RdmaConnection connection = rig.await(client.connect(port, address), 60);
      Promise<Throwable> failed = Promise.promise();
      connection.exceptionHandler(failed::complete);
      rig.await(connection.writeImmediate(0));

      assertThat(peer.destroyForcibly().waitFor(20, TimeUnit.SECONDS)).isTrue();

      if (!rig.isNative()) {
        rig.awaitFailure(connection.writeImmediate(1));
      }
      rig.await(connection.closed());
      assertThat(connection.isOpen()).isFalse();
      assertThat(failed.future().isComplete())
          .as("a goodbye is no failure, silence is")
          .isEqualTo(!rig.isNative());
    } finally {
      peer.destroyForcibly();
    }
  }

  private static int port(Process peer) throws IOException {
    BufferedReader output = new BufferedReader(new InputStreamReader(peer.getInputStream()));
    String line;
    while ((line = output.readLine()) != null) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring("port ".length()));
      }
    }
    throw new AssertionError("the peer ended without listening");
  }
}
