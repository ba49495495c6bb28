package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RejectReason;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connection management straight on the SPI: ids, events, and what the events carry. */
class SpiContractTest {

  private static final byte[] FIVE = {1, 2, 3, 0, 0};

  @RegisterExtension final ContractRig rig = new ContractRig();
  private SpiRig spi;

  @BeforeEach
  void listen() {
    spi = new SpiRig(rig);
  }

  @AfterEach
  void close() throws Exception {
    spi.close();
  }

  private static ConnParam withData(byte[] data) {
    return new ConnParam(data, 1, 1, 0, 6, 7, false, 0);
  }

  private static void assertZeroPadded(byte[] received, int length) {
    assertThat(received).hasSize(length).startsWith(FIVE);
    assertThat(Arrays.copyOfRange(received, FIVE.length, length)).containsOnly(0);
  }

  @Test
  void two_ids_connect_and_know_each_others_address_and_queue_pair() {
    spi.connected();
    assertThat(spi.server.remoteAddress()).isEqualTo(spi.client.localAddress());
    assertThat(spi.client.remoteAddress()).isEqualTo(spi.listener.localAddress());
    QueuePairAttributes client = spi.client.queuePair().query();
    QueuePairAttributes server = spi.server.queuePair().query();
    assertThat(client.state()).isEqualTo(QueuePairState.RTS);
    assertThat(server.state()).isEqualTo(QueuePairState.RTS);
    assertThat(client.remoteQueuePairNumber()).isEqualTo(spi.server.queuePair().number());
    assertThat(server.remoteQueuePairNumber()).isEqualTo(spi.client.queuePair().number());
    assertThat(client.pathMtu()).isIn(256, 512, 1024, 2048, 4096).isEqualTo(server.pathMtu());
    assertThat(spi.serverChannel.liveIds()).isEqualTo(2);
    assertThat(spi.clientChannel.liveIds()).isEqualTo(1);
  }

  @Test
  void a_request_brings_56_bytes_and_its_answer_196_zero_padded() {
    CmEvent request = spi.request(withData(FIVE));
    assertZeroPadded(request.privateData(), 56);
    assertThat(request.listener()).isSameAs(spi.listener);
    spi.queuePair(spi.server, spi.serverQueue, null);
    assertZeroPadded(spi.accept(withData(FIVE)).privateData(), 196);
  }

  @Test
  void a_rejection_brings_148_bytes_zero_padded_and_the_consumers_reason() {
    spi.request(withData(null));
    spi.server.reject(FIVE);
    CmEvent rejected = spi.next(spi.clientChannel, CmEventType.REJECTED);
    assertZeroPadded(rejected.privateData(), 148);
    assertThat(rejected.status()).isEqualTo(28);
    assertThat(rejected.id()).isSameAs(spi.client);
  }

  @Test
  void depths_arrive_mirrored_on_both_sides() {
    CmEvent request = spi.request(new ConnParam(null, 5, 3, 0, 6, 7, false, 0));
    assertThat(request.parameters().responderResources()).isEqualTo(3);
    assertThat(request.parameters().initiatorDepth()).isEqualTo(5);
    assertThat(request.parameters().retryCount()).isEqualTo(6);
    assertThat(request.parameters().rnrRetryCount()).isEqualTo(7);
    spi.queuePair(spi.server, spi.serverQueue, null);
    CmEvent established = spi.accept(new ConnParam(null, 2, 4, 0, 0, 5, false, 0));
    assertThat(established.parameters().responderResources()).isEqualTo(4);
    assertThat(established.parameters().initiatorDepth()).isEqualTo(2);
    // What the client may have outstanding is what the server serves, and the other way round.
    assertThat(spi.client.queuePair().query().maxReadAtomic()).isEqualTo(2);
    assertThat(spi.server.queuePair().query().maxDestinationReadAtomic()).isEqualTo(2);
    assertThat(spi.server.queuePair().query().maxReadAtomic()).isEqualTo(4);
    // The count given to accept is the client's.
    assertThat(spi.client.queuePair().query().rnrRetryCount()).isEqualTo(5);
    assertThat(spi.server.queuePair().query().rnrRetryCount()).isEqualTo(7);
  }

  @Test
  void accept_without_a_queue_pair_is_refused_and_the_request_can_still_be_accepted() {
    spi.request(SpiRig.PARAMETERS);
    assertThatThrownBy(() -> spi.server.accept(SpiRig.PARAMETERS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no queue pair");
    spi.queuePair(spi.server, spi.serverQueue, null);
    spi.accept(SpiRig.PARAMETERS);
    assertThat(spi.server.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void connect_without_a_queue_pair_is_refused() {
    CmId id = spi.resolve(spi.listener.localAddress().getPort());
    assertThatThrownBy(() -> id.connect(SpiRig.PARAMETERS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no queue pair");
  }

  @Test
  void a_port_where_nobody_listens_rejects_with_reason_8() {
    int port = spi.listener.localAddress().getPort();
    spi.listener.close();
    CmId id = spi.resolve(port);
    spi.queuePair(id, spi.clientQueue, null);
    id.connect(SpiRig.PARAMETERS);
    CmEvent rejected = spi.next(spi.clientChannel, CmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(RejectReason.INVALID_SERVICE_ID).isEqualTo(8);
  }

  @Test
  void a_disconnect_reaches_the_peer_and_answering_it_is_harmless() {
    spi.connected();
    spi.server.disconnect();
    assertThat(spi.next(spi.clientChannel, CmEventType.DISCONNECTED).id()).isSameAs(spi.client);
    spi.client.disconnect();
    spi.client.disconnect();
    assertThat(spi.next(spi.serverChannel, CmEventType.DISCONNECTED).id()).isSameAs(spi.server);
    assertThat(spi.client.queuePair().query().state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void events_of_a_closed_id_are_not_delivered() {
    spi.connected();
    CmId closed = spi.client;
    CmId closedPeer = spi.server;
    // A second connection on another channel: once its event is there, the first's has come too.
    CmEventChannel another = spi.anotherChannel();
    spi.connected();
    spi.client.migrate(another);
    closedPeer.disconnect();
    spi.server.disconnect();
    spi.next(another, CmEventType.DISCONNECTED);

    closed.close();

    Traffic.eventuallyForGood("no event comes", () -> spi.clientChannel.poll() == null);
    assertThat(closed.isClosed()).isTrue();
    assertThatThrownBy(closed::disconnect).isInstanceOf(IllegalStateException.class);
    closed.close();
  }

  @Test
  void a_migrated_id_has_its_events_on_the_other_channel() {
    spi.connected();
    CmEventChannel other = spi.anotherChannel();
    spi.server.migrate(other);
    assertThat(other.liveIds()).isEqualTo(1);
    assertThat(spi.serverChannel.liveIds()).isEqualTo(1);
    spi.client.disconnect();
    assertThat(spi.next(other, CmEventType.DISCONNECTED).id()).isSameAs(spi.server);
    Traffic.eventuallyForGood("none on the old one", () -> spi.serverChannel.poll() == null);
    spi.server.close();
    assertThat(other.liveIds()).isZero();
  }

  @Test
  void an_ack_timeout_set_before_connect_is_the_queue_pairs() {
    spi.client = spi.resolve(spi.listener.localAddress().getPort());
    spi.client.setOption(CmOption.ACK_TIMEOUT, 17);
    spi.queuePair(spi.client, spi.clientQueue, null);
    spi.client.connect(SpiRig.PARAMETERS);
    spi.server = spi.closing(spi.next(spi.serverChannel, CmEventType.CONNECT_REQUEST).id());
    spi.queuePair(spi.server, spi.serverQueue, null);
    spi.accept(SpiRig.PARAMETERS);
    assertThat(spi.client.queuePair().query().timeout()).isEqualTo(17);
    assertThatThrownBy(() -> spi.client.setOption(CmOption.ACK_TIMEOUT, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("256");
  }

  @Test
  void the_rnr_timer_can_be_set_once_connected() {
    spi.connected();
    assertThat(spi.server.queuePair().query().minRnrTimer()).isZero();
    spi.server.queuePair().setMinRnrTimer(12);
    assertThat(spi.server.queuePair().query().minRnrTimer()).isEqualTo(12);
    assertThatThrownBy(() -> spi.server.queuePair().setMinRnrTimer(32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32");
  }
}
