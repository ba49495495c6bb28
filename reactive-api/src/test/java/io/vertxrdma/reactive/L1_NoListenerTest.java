package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.Bench.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L1_NoListenerTest {

  @ParameterizedTest
  @EnumSource(Transport.class)
  void theRejectionAndItsReasonAreTold(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.replyTo("rdma_connect").type(8).status(8);

      assertThat(Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST)))
          .isInstanceOf(ConnectionRejectedException.class)
          .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status 8")
          .hasMessageContaining("no listener")
          .satisfies(
              failure ->
                  assertThat(((ConnectionRejectedException) failure).reason())
                      .isEqualTo(RejectReason.INVALID_SERVICE_ID));
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void onIwarpItIsTheErrnoOfARefusedConnection() {
    try (Bench bench = new Bench(fake -> fake.device("siw0").address("10.0.0.1").iwarp())) {
      bench.fake.replyTo("rdma_connect").type(8).status(-111).exactPrivateData();

      Throwable failure = Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST));

      assertThat(failure)
          .isInstanceOf(ConnectionRejectedException.class)
          .hasMessageContaining("status -111")
          .hasMessageContaining("ECONNREFUSED");
      assertThat(ReconnectPolicy.isTransient(failure)).isTrue();
      bench.assertNoConnectionLeft();
    }
  }
}
