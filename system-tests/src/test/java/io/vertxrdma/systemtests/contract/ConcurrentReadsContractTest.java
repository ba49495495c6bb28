package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.DeviceLimits;
import io.vertxrdma.cm.DriverQuirks;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.Negotiation;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that wants 16 READs at once meets a side that serves none, or one: the alignment check
 * says so at the request, and with the negotiated depths the READs are refused or all complete, but
 * none hangs.
 */
@SuppressWarnings("try") // what is closed may say that it was interrupted
class ConcurrentReadsContractTest {

  private static final int READS = 16;
  private static final ConnectionParameters READER = ConnectionParameters.READ_HEAVY;

  @RegisterExtension final ContractRig rig = new ContractRig();

  private static ConnectionParameters serving(int responderResources) {
    return ConnectionParameters.DEFAULT.withResponderResources(responderResources);
  }

  private static void assertForetold(
      Iterable<AlignmentFinding> findings, int ours, int theirs, String where) {
    assertThat(findings)
        .as(where)
        .filteredOn(
            found ->
                found.kind() == AlignmentFinding.Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES)
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.ours()).isEqualTo(ours);
              assertThat(found.theirs()).isEqualTo(theirs);
              assertThat(found.kind().severity()).isEqualTo(AlignmentFinding.Severity.WARN);
            });
  }

  @ParameterizedTest(name = "responder resources {0}")
  @ValueSource(ints = {0, 1})
  void the_request_foretells_it_and_both_ends_know_what_was_agreed(int served) {
    RdmaServer server = rig.server(new RdmaServerOptions().setParameters(serving(served)));
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    var connecting =
        rig.client(new RdmaClientOptions().setParameters(READER)).connect(port, rig.address());

    ConnectRequest request = requests.next();
    assertForetold(request.alignment(), served, READS, "at the request");
    var accepted = rig.await(request.accept());
    var connected = rig.await(connecting);

    assertThat(accepted.negotiated().responderResources()).isEqualTo(served);
    assertThat(connected.negotiated().initiatorDepth()).isEqualTo(served);
    assertThat(connected.queuePairAttributes().maxReadAtomic()).isEqualTo(served);
    if (served == 0) {
      assertThatIllegalStateException()
          .isThrownBy(() -> connected.negotiated().checkRead())
          .withMessageContaining("initiator depth is 0")
          .withMessageContaining("wanted " + READS);
    } else {
      connected.negotiated().checkRead();
    }
  }

  /** Connects on the SPI with what negotiation makes of the wishes; returns the reader's values. */
  private NegotiatedParameters connect(SpiRig spi, int served) {
    DeviceContext device = rig.device();
    DeviceLimits limits = DeviceLimits.of(device.attributes());
    DriverQuirks quirks = DriverQuirks.forDriver(device.driver());
    NegotiatedParameters asked = Negotiation.forConnect(READER, limits, quirks);
    CmEvent request = spi.request(asked.toConnParam(null, false));
    NegotiatedParameters granted =
        Negotiation.forAccept(serving(served), limits, PeerOffer.of(request), quirks);
    assertForetold(granted.findings(), served, READS, "when accepting");
    spi.queuePair(spi.server, spi.serverQueue, null);
    CmEvent established = spi.accept(granted.toConnParam(null, false));
    return Negotiation.forReply(asked, PeerOffer.of(established));
  }

  @Test
  void with_responder_resources_one_all_sixteen_complete() throws Exception {
    try (SpiRig spi = new SpiRig(rig)) {
      NegotiatedParameters agreed = connect(spi, 1);
      assertThat(agreed.initiatorDepth()).isEqualTo(1);
      MemoryRegion there = spi.region(8 * READS, AccessFlag.REMOTE_READ);
      for (int i = 0; i < READS; i++) {
        there.buffer().putLong(8 * i, 1000 + i);
      }
      MemoryRegion here = spi.region(8 * READS, AccessFlag.LOCAL_WRITE);

      agreed.checkRead();
      for (int i = 0; i < READS; i++) {
        spi.send(i, SendOpcode.RDMA_READ, 0, here, there);
      }

      for (int i = 0; i < READS; i++) {
        SpiRig.nextSuccess(spi.clientQueue, i);
      }
      for (int i = 0; i < READS; i++) {
        assertThat(here.buffer().getLong(8 * i)).isEqualTo(1000 + i);
      }
    }
  }

  @Test
  void with_responder_resources_zero_a_read_is_refused_at_once() throws Exception {
    try (SpiRig spi = new SpiRig(rig)) {
      NegotiatedParameters agreed = connect(spi, 0);

      assertThat(agreed.initiatorDepth()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(agreed::checkRead)
          .withMessageContaining("initiator depth is 0")
          .withMessageContaining("wanted " + READS);
      // What does not READ goes on as ever.
      MemoryRegion there = spi.region(8, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
      spi.send(1, SendOpcode.RDMA_WRITE, 0, spi.region(8, AccessFlag.LOCAL_WRITE), there);
      SpiRig.nextSuccess(spi.clientQueue, 1);
    }
  }
}
