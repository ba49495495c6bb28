package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.SoftCounters.Name;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that nobody answers, that are refused or given up, and what is refused at once. */
@Timeout(60)
class SoftRefusalTest extends SoftPair {

  @Test
  void a_rejection_carries_its_data_zero_padded() {
    ask(client, new byte[0]);

    request.id().reject(new byte[] {9, 8});

    CmEvent rejected = client.next(CmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(RejectReason.CONSUMER_DEFINED);
    assertThat(rejected.privateData()).isEqualTo(Arrays.copyOf(new byte[] {9, 8}, 148));
    request.id().close();
    assertThatThrownBy(() -> asking.connect(Spi.PARAMETERS))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("EINVAL");
  }

  @Test
  void a_request_whose_id_is_closed_is_rejected() {
    ask(client, new byte[0]);

    request.id().close();

    assertThat(client.next(CmEventType.REJECTED).status()).isEqualTo(RejectReason.CONSUMER_DEFINED);
  }

  @Test
  void a_request_nobody_read_is_rejected_when_its_listener_is_closed() {
    InetSocketAddress to = listening(server);
    asking = client.resolved(PortSpace.TCP, to);
    here = client.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    server.channel.setReadableListener(() -> {});
    Awaitility.await()
        .until(
            () -> {
              SoftEventChannel queue = (SoftEventChannel) server.channel;
              return queue.size() == 1;
            });

    listener.close();

    assertThat(client.next(CmEventType.REJECTED).status()).isEqualTo(RejectReason.CONSUMER_DEFINED);
    assertThat(server.channel.liveIds()).isZero();
  }

  @Test
  void nobody_listens_on_the_port() {
    InetSocketAddress to = listening(server);
    asking = client.resolved(PortSpace.TCP, Spi.at("127.0.0.1", to.getPort() ^ 1));
    here = client.verbs(asking);

    asking.connect(Spi.PARAMETERS);

    CmEvent rejected = client.next(CmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(RejectReason.INVALID_SERVICE_ID);
    assertThat(rejected.privateData()).isEqualTo(new byte[148]);
  }

  @Test
  void nobody_is_at_the_loopback_address_at_all() {
    asking = client.resolved(PortSpace.TCP, Spi.at("127.9.9.9", 4711));
    here = client.verbs(asking);

    asking.connect(Spi.PARAMETERS);

    assertThat(client.next(CmEventType.REJECTED).status())
        .isEqualTo(RejectReason.INVALID_SERVICE_ID);
  }

  @Test
  void a_peer_that_does_not_answer_is_unreachable() throws Exception {
    try (DatagramSocket silent = new DatagramSocket(null)) {
      silent.bind(Spi.at("127.9.9.9", udpPort));
      asking = client.resolved(PortSpace.TCP, Spi.at("127.9.9.9", 4711));
      here = client.verbs(asking);

      asking.connect(Spi.PARAMETERS);

      CmEvent event = client.next(CmEventType.UNREACHABLE);
      assertThat(event.status()).isEqualTo(-110);
    }
  }

  @Test
  void a_client_that_gives_up_makes_accepting_fail() {
    ask(client, new byte[0]);
    here.close();
    asking.close();
    there = server.verbs(request.id());

    SoftDevice device = (SoftDevice) request.id().device();
    Awaitility.await().until(() -> device.engine().counters().get(Name.CM_RECEIVED) == 2);

    assertThatThrownBy(() -> request.id().accept(Spi.PARAMETERS))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("rdma_accept")
        .hasMessageContaining("EINVAL");
    assertThat(server.channel.poll()).as("no event for a request nobody accepted").isNull();
  }

  @Test
  void accepting_with_too_much_private_data_rejects_the_peer_and_breaks_the_queue_pair() {
    ask(client, new byte[0]);
    there = server.verbs(request.id());

    assertThatThrownBy(() -> request.id().accept(Spi.param(new byte[197])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("EINVAL");

    assertThat(client.next(CmEventType.REJECTED).status()).isEqualTo(RejectReason.CONSUMER_DEFINED);
    assertThat(there.queuePair.query().state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void rejecting_with_too_much_private_data_sends_nothing_and_can_be_repeated() {
    ask(client, new byte[0]);

    assertThatThrownBy(() -> request.id().reject(new byte[149]))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("EINVAL");

    request.id().reject(new byte[148]);
    client.next(CmEventType.REJECTED);
    request.id().close();
  }

  @Test
  void a_datagram_service_that_rejects_or_is_not_there_is_unreachable() {
    listener = server.id(PortSpace.UDP);
    listener.bind(Spi.at("127.0.0.1", 0));
    listener.listen(0);
    asking = client.resolved(PortSpace.UDP, listener.localAddress());
    here = client.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    request = requested();
    request.id().reject(null);
    assertThat(client.next(CmEventType.UNREACHABLE).status()).isEqualTo(2);
    request.id().close();
    int other = listener.localAddress().getPort() ^ 1;

    CmId second = client.resolved(PortSpace.UDP, Spi.at("127.0.0.1", other));
    Spi.Verbs verbs = client.verbs(second);
    second.connect(Spi.PARAMETERS);

    assertThat(client.next(CmEventType.UNREACHABLE).status()).isEqualTo(1);
    assertThat(verbs.queuePair.number()).isPositive();
  }
}
