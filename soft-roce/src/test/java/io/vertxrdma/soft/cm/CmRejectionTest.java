package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Requests that are refused, dropped, or given up. */
class CmRejectionTest extends CmPair {

  @Test
  void a_rejection_ends_the_attempt_on_both_sides() {
    ask();

    assertThat(asked.connection.reject(new byte[] {1})).isTrue();
    net.deliver();

    assertThat(asking.told).containsExactly("rejected 28");
    assertThat(asking.state()).isEqualTo(CmState.IDLE);
    assertThat(asked.connection.reject(new byte[0])).as("a second time").isFalse();
    assertThat(asked.connection.reply(passive.reply(asked.connection), 17)).isFalse();
    assertThat(net.timers.pending()).isZero();
  }

  @Test
  void a_lost_rejection_makes_the_request_arrive_anew() {
    ask();
    net.loseNext("REJ");
    asked.connection.reject(new byte[0]);
    net.deliver();

    net.pass(5_000);

    assertThat(listener.requests).hasSize(2);
  }

  @Test
  void nobody_listens() {
    asking = active.connect(passive, CmNet.OTHER_PORT, 0x55);
    net.deliver();

    assertThat(asking.told).containsExactly("rejected " + RejectReason.INVALID_SERVICE_ID);
  }

  @Test
  void a_request_for_another_address_is_rejected_although_somebody_listens() {
    Node third = net.node("10.0.0.3");
    User user = new User();
    user.connection =
        active.agent.connect(
            passive.address, active.request(third, CmNet.PORT, 0x55), CmNet.ACK_TIMEOUT, user);
    net.deliver();

    assertThat(user.told).containsExactly("rejected " + RejectReason.CONSUMER_DEFINED);
    assertThat(listener.requests).isEmpty();
  }

  @Test
  void a_request_without_a_known_header_is_rejected() {
    User user = new User();
    byte[] unknownVersion = new byte[92];
    unknownVersion[0] = 1;
    user.connection =
        active.agent.connect(
            passive.address,
            active.request(passive, CmNet.PORT, 0x55).privateData(unknownVersion),
            CmNet.ACK_TIMEOUT,
            user);
    net.deliver();

    assertThat(user.told).containsExactly("rejected " + RejectReason.CONSUMER_DEFINED);
  }

  @Test
  void a_full_backlog_is_silence_and_the_repeated_request_gets_in_later() {
    listener.room = 0;
    asking = active.connect(passive);
    net.deliver();
    assertThat(net.sent).containsExactly("REQ");
    assertThat(passive.counters.get(Name.DROP_BACKLOG)).isEqualTo(1);
    listener.room = 1;

    net.pass(5_000);

    assertThat(listener.requests).hasSize(1);
    assertThat(asking.told).isEmpty();
  }

  @Test
  void half_open_requests_are_bounded_for_each_source_and_answered_ones_make_room() {
    Node bounded = net.node("10.0.0.4", new CmOptions(4608, 4096, 15, 17, 3, 2));
    Listener busy = bounded.listen(CmNet.PORT);
    active.connect(bounded);
    active.connect(bounded);
    active.connect(bounded);
    net.deliver();
    assertThat(busy.requests).as("two of one source").hasSize(2);
    Node other = net.node("10.0.0.5");
    other.connect(bounded);
    other.connect(bounded);
    net.deliver();
    assertThat(busy.requests).as("three of one listener").hasSize(3);
    assertThat(bounded.counters.get(Name.DROP_BACKLOG)).isEqualTo(2);

    busy.requests.get(0).connection.reject(new byte[0]);
    net.deliver();
    net.pass(5_000);

    assertThat(busy.requests).hasSize(4);
  }

  @Test
  void a_client_that_gives_up_is_noticed_although_the_server_never_answered() {
    ask();

    asking.connection.destroy();
    net.deliver();

    assertThat(net.sent).containsExactly("REQ", "REJ");
    assertThat(asked.told).containsExactly("rejected " + RejectReason.TIMEOUT);
    assertThat(asked.connection.isRequested()).isFalse();
  }

  @Test
  void destroying_an_unanswered_request_or_an_unconfirmed_reply_rejects_the_peer() {
    ask();
    asked.connection.destroy();
    net.deliver();
    assertThat(asking.told).containsExactly("rejected 28");
    listener.requests.clear();
    ask();
    accept();

    asked.connection.destroy();
    net.deliver();

    assertThat(asking.told).containsExactly("replied", "rejected 28");
    assertThat(asking.connection.ready()).isFalse();
  }

  @Test
  void a_request_for_another_transport_or_a_larger_packet_than_fits_is_rejected() {
    active.forge(passive, 1, active.request(passive, CmNet.PORT, 5).transport(1).build());
    active.forge(passive, 2, active.request(passive, CmNet.PORT, 6).pathMtu(6).build());
    active.forge(passive, 3, active.request(passive, CmNet.PORT, 7).pathMtu(0).build());

    assertThat(net.sent).containsExactly("REJ", "REJ", "REJ");
    assertThat(listener.requests).isEmpty();
  }

  @Test
  void bytes_that_are_no_message_are_counted_and_dropped() {
    passive.agent.datagram(active.address, ByteBuffer.allocate(256));
    passive.agent.datagram(active.address, ByteBuffer.allocate(3));

    assertThat(passive.counters.get(Name.DROP_BAD_MAD)).isEqualTo(2);
    assertThat(net.isQuiet()).isTrue();
  }
}
