package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.soft.cm.CmOptions;
import io.vertxrdma.soft.io.FaultInjection;
import io.vertxrdma.soft.io.Faults;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections come about through the SPI. */
@Timeout(60)
class SoftConnectionTest extends SoftPair {

  @Test
  void two_processes_on_one_host_connect_and_write() {
    connect(client);

    assertThat(asking.localAddress().getAddress()).isNotEqualTo(Spi.ip("127.0.0.1"));
    assertThat(asking.localAddress().getAddress().isLoopbackAddress()).isTrue();
    assertThat(request.id().remoteAddress()).isEqualTo(asking.localAddress());
    assertThat(request.id().localAddress()).isEqualTo(listener.localAddress());
    assertThat(asking.remoteAddress()).isEqualTo(listener.localAddress());
    writeWithImmediateArrives();
  }

  @Test
  void one_process_connects_to_itself_on_one_device() {
    connect(server);

    assertThat(asking.device()).isSameAs(listener.device()).isSameAs(request.id().device());
    writeWithImmediateArrives();
  }

  @Test
  void private_data_arrives_in_both_directions_zero_padded_to_the_field() {
    ask(client, new byte[] {1, 2, 3});
    assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1, 2, 3}, 56));
    accept(new byte[] {4, 5});

    CmEvent established = client.next(CmEventType.ESTABLISHED);
    assertThat(established.privateData()).isEqualTo(Arrays.copyOf(new byte[] {4, 5}, 196));
    CmEvent passive = server.next(CmEventType.ESTABLISHED);
    assertThat(passive.privateData()).isEmpty();
    assertThat(passive.parameters()).isEqualTo(ConnParam.ZERO);
  }

  @Test
  void depths_are_mirrored_and_the_rnr_count_is_crossed() {
    InetSocketAddress to = listening(server);
    asking = client.resolved(PortSpace.TCP, to);
    here = client.verbs(asking);
    asking.connect(new ConnParam(null, 3, 5, 1, 2, 1, false, 0));
    request = requested();
    ConnParam asked = request.parameters();
    assertThat(asked.responderResources()).isEqualTo(5);
    assertThat(asked.initiatorDepth()).isEqualTo(3);
    assertThat(asked.retryCount()).isEqualTo(2);
    assertThat(asked.rnrRetryCount()).isEqualTo(1);
    assertThat(asked.flowControl()).isEqualTo(1);
    assertThat(asked.queuePairNumber()).isEqualTo(here.queuePair.number());
    there = server.verbs(request.id());
    request.id().accept(new ConnParam(null, 5, 3, 0, 6, 4, false, 0));

    ConnParam answered = client.next(CmEventType.ESTABLISHED).parameters();

    assertThat(answered.responderResources()).isEqualTo(3);
    assertThat(answered.initiatorDepth()).isEqualTo(5);
    assertThat(answered.retryCount()).isZero();
    assertThat(answered.rnrRetryCount()).isEqualTo(4);
    assertThat(answered.queuePairNumber()).isEqualTo(there.queuePair.number());
    var active = here.queuePair.query();
    assertThat(active.state()).isEqualTo(QueuePairState.RTS);
    assertThat(active.retryCount()).isEqualTo(2);
    assertThat(active.rnrRetryCount()).isEqualTo(4);
    assertThat(active.maxReadAtomic()).isEqualTo(5);
    assertThat(active.maxDestinationReadAtomic()).isEqualTo(3);
    assertThat(active.minRnrTimer()).isZero();
    assertThat(active.remoteQueuePairNumber()).isEqualTo(there.queuePair.number());
    var passive = there.queuePair.query();
    assertThat(passive.retryCount()).isEqualTo(2);
    assertThat(passive.rnrRetryCount()).isEqualTo(1);
    assertThat(passive.maxReadAtomic()).isEqualTo(3);
    assertThat(passive.maxDestinationReadAtomic()).isEqualTo(5);
  }

  @Test
  void the_client_is_not_ready_before_it_reads_the_event_and_so_neither_is_the_server() {
    ask(client, new byte[0]);
    accept(new byte[0]);
    Awaitility.await().until(() -> ((SoftEventChannel) client.channel).size() == 1);
    assertThat(here.queuePair.query().state()).isEqualTo(QueuePairState.INIT);
    assertThat(server.channel.poll()).isNull();

    establish(client);
    assertThat(here.queuePair.query().state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {57, 100, 219, 255})
  void a_request_with_too_much_private_data_is_refused_and_can_be_repeated(int length) {
    InetSocketAddress to = listening(server);
    asking = client.resolved(PortSpace.TCP, to);
    here = client.verbs(asking);

    assertThatThrownBy(() -> asking.connect(Spi.param(new byte[length])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("rdma_connect")
        .hasMessageContaining("EINVAL");

    asking.connect(Spi.param(new byte[56]));
    request = requested();
  }

  @Test
  void depths_over_the_device_are_refused_and_255_stands_for_its_maximum() {
    InetSocketAddress to = listening(server);
    asking = client.resolved(PortSpace.TCP, to);
    here = client.verbs(asking);
    assertThatThrownBy(() -> asking.connect(new ConnParam(null, 129, 1, 0, 7, 7, false, 0)))
        .hasMessageContaining("EINVAL");
    assertThatThrownBy(() -> asking.connect(new ConnParam(null, 1, 129, 0, 7, 7, false, 0)))
        .hasMessageContaining("EINVAL");

    asking.connect(new ConnParam(null, 255, 255, 0, 200, 100, false, 0));

    request = requested();
    assertThat(request.parameters().responderResources()).isEqualTo(128);
    assertThat(request.parameters().initiatorDepth()).isEqualTo(128);
    assertThat(request.parameters().retryCount()).isEqualTo(7);
    assertThat(request.parameters().rnrRetryCount()).isEqualTo(7);
  }

  @Test
  void connections_come_about_and_end_over_a_link_with_faults() {
    Faults faults = new Faults(0.1, 0.1, 0.1, 0.05, 0.1, 5_000_000);
    SoftProviderOptions bad =
        new SoftProviderOptions(options)
            .setConnectionManagement(new CmOptions(30, 30, 15, 14, 64, 64))
            .setLinkDecorator((link, timers) -> new FaultInjection(link, timers, 4711, faults));
    try (Spi one = new Spi(new SoftProvider(bad));
        Spi two = new Spi(new SoftProvider(bad))) {
      CmId listening = one.listen("127.0.0.1");
      for (int i = 0; i < 10; i++) {
        CmId id = two.resolved(PortSpace.TCP, listening.localAddress());
        Spi.Verbs mine = two.verbs(id);
        id.connect(new ConnParam(null, 1, 1, 0, 7, 7, false, 0));
        CmId other = one.track(one.next(CmEventType.CONNECT_REQUEST).id());
        Spi.Verbs theirs = one.verbs(other);
        theirs.postReceive(i);
        other.accept(Spi.PARAMETERS);
        two.next(CmEventType.ESTABLISHED);
        one.next(CmEventType.ESTABLISHED);
        mine.write("round " + i, theirs, i);
        assertThat(theirs.completion().immediate(0)).isEqualTo(i);
        assertThat(mine.completion().status(0)).isEqualTo(SUCCESS);
        id.disconnect();
        one.next(CmEventType.DISCONNECTED);
        other.disconnect();
        assertThat(two.next(CmEventType.DISCONNECTED).status()).isZero();
        mine.close();
        id.close();
        theirs.close();
        other.close();
      }
    }
  }

  @Test
  void a_datagram_service_tells_its_queue_pair() {
    listener = server.id(PortSpace.UDP);
    listener.bind(Spi.at("127.0.0.1", 0));
    listener.listen(0);
    asking = client.resolved(PortSpace.UDP, listener.localAddress());
    here = client.verbs(asking);
    asking.connect(new ConnParam(new byte[] {5}, 0, 0, 0, 0, 0, false, 0));
    request = requested();
    assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {5}, 180));
    there = server.verbs(request.id());

    request.id().accept(new ConnParam(new byte[] {6}, 0, 0, 0, 0, 0, false, 0));

    CmEvent established = client.next(CmEventType.ESTABLISHED);
    assertThat(established.parameters().queuePairNumber()).isEqualTo(there.queuePair.number());
    assertThat(established.privateData()).isEqualTo(Arrays.copyOf(new byte[] {6}, 136));
    assertThat(established.udParam())
        .isEqualTo(
            new UdParam(
                AddressHandleAttributes.toAddress(Spi.ip("127.0.0.1"), 0, 1),
                there.queuePair.number(),
                UdParam.DEFAULT_QUEUE_KEY));
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
    request.id().reject(new byte[] {7});
    CmEvent rejected = client.next(CmEventType.UNREACHABLE);
    assertThat(rejected.status()).isEqualTo(2);
    assertThat(rejected.privateData()).isEqualTo(Arrays.copyOf(new byte[] {7}, 136));
    request.id().close();
    int other = listener.localAddress().getPort() ^ 1;

    CmId second = client.resolved(PortSpace.UDP, Spi.at("127.0.0.1", other));
    Spi.Verbs verbs = client.verbs(second);
    second.connect(Spi.PARAMETERS);

    assertThat(client.next(CmEventType.UNREACHABLE).status()).isEqualTo(1);
    assertThat(verbs.queuePair.number()).isPositive();
  }
}
