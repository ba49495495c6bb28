package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.NegotiationException;
import io.vertxrdma.cm.NegotiationMode;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case P1: depths above the device's limits. */
class P1_DepthAboveDeviceLimitContractTest {

  private static final int CLIENT_WANTS = 253;
  private static final int SERVER_WANTS = 254;

  @RegisterExtension final ContractRig rig = new ContractRig();

  private static ConnectionParameters depths(int both) {
    return ConnectionParameters.DEFAULT.withResponderResources(both).withInitiatorDepth(both);
  }

  @Test
  void are_clamped_with_one_warning_for_each_field_and_the_connection_works() {
    int mostServed = Math.toIntExact(rig.device().attributes().maxResponderResources());
    int mostAsked = Math.toIntExact(rig.device().attributes().maxInitiatorDepth());
    assertThat(List.of(mostServed, mostAsked))
        .as("device limits; the test needs some below what it asks for")
        .allMatch(limit -> limit > 0 && limit < CLIENT_WANTS);

    try (LogCapture log = new LogCapture()) {
      ContractRig.Pair pair =
          rig.pair(
              new RdmaServerOptions().setParameters(depths(SERVER_WANTS)),
              new RdmaClientOptions().setParameters(depths(CLIENT_WANTS)));

      int effective = Math.min(mostServed, mostAsked);
      assertThat(pair.client().negotiated().responderResources()).isEqualTo(effective);
      assertThat(pair.client().negotiated().initiatorDepth()).isEqualTo(effective);
      assertThat(pair.server().negotiated().responderResources()).isEqualTo(effective);
      assertThat(pair.server().negotiated().initiatorDepth()).isEqualTo(effective);
      assertThat(pair.client().queuePairAttributes().maxReadAtomic()).isEqualTo(effective);
      assertThat(pair.server().queuePairAttributes().maxDestinationReadAtomic())
          .isEqualTo(effective);
      for (int wanted : List.of(CLIENT_WANTS, SERVER_WANTS)) {
        assertThat(log.warnings())
            .containsOnlyOnce(warning(log, "responderResources", wanted, mostServed))
            .containsOnlyOnce(warning(log, "initiatorDepth", wanted, mostAsked));
      }
      var arrived = rig.immediates(pair.server(), 1);
      rig.await(pair.client().writeImmediate(42));
      assertThat(rig.await(arrived)).containsExactly(42L);
    }
  }

  /** The one warning about a field and a value; fails when there is none. */
  private static String warning(LogCapture log, String field, int wanted, int used) {
    String about = field + ": wanted " + wanted + ", used " + used;
    List<String> found = log.warnings().stream().filter(line -> line.contains(about)).toList();
    assertThat(found).as("warnings with \"%s\" in %s", about, log.warnings()).hasSize(1);
    return found.get(0);
  }

  @Test
  void are_refused_at_connect_by_strict_parameters_before_the_peer_hears_of_it() {
    var server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);

    Throwable failure =
        rig.awaitFailure(
            rig.client()
                .connect(
                    port,
                    rig.address(),
                    null,
                    depths(CLIENT_WANTS).withNegotiation(NegotiationMode.STRICT)));

    assertThat(failure)
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("responderResources " + CLIENT_WANTS)
        .hasMessageContaining("limit " + rig.device().attributes().maxResponderResources());
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    assertThat(requests.count()).isZero();
  }

  @Test
  void are_refused_at_accept_by_strict_parameters_and_the_request_can_still_be_accepted() {
    var server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting = rig.client().connect(port, rig.address());
    var request = requests.next();

    Throwable failure =
        rig.awaitFailure(
            request.accept(null, depths(SERVER_WANTS).withNegotiation(NegotiationMode.STRICT)));

    assertThat(failure)
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining(String.valueOf(SERVER_WANTS));
    assertThat(rig.await(request.accept()).isOpen()).isTrue();
    assertThat(rig.await(connecting).isOpen()).isTrue();
  }
}
