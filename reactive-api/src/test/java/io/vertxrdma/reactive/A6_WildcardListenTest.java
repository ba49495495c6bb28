package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.reactive.Bench.Transport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class A6_WildcardListenTest {

  @ParameterizedTest
  @EnumSource(Transport.class)
  void noDeviceIsUsedBeforeTheRequestThatNamesOneAndThenItsOwnIs(Transport transport)
      throws Exception {
    try (Bench bench = new Bench(transport)) {
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      RdmaServer server = bench.elsewhere(bench::server);
      server.connectRequestHandler(requests::add);

      int port = Bench.get(server.listen(0, "0.0.0.0")).actualPort();

      assertThat(port).isPositive();
      assertThat(server.actualAddress().host()).isEqualTo("0.0.0.0");
      assertThat(bench.fake.live())
          .doesNotContainKeys("protection domains", "completion queues", "completion channels");

      var connecting = bench.elsewhere(bench::client).connect(port, Bench.HOST);
      ConnectRequest request = requests.take();
      assertThat(request.device().name()).isNotEmpty();
      RdmaConnection accepted = Bench.get(request.accept());
      Bench.get(connecting);
      assertThat(accepted.device()).isSameAs(request.device());
      assertThat(bench.fake.live()).containsKeys("protection domains", "completion queues");
    }
  }
}
