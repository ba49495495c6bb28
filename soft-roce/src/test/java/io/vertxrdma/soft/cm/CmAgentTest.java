package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmReq;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections between two agents over a wire that loses what the test says. */
class CmAgentTest {

  /** Longer than all retries of one message take. */
  private static final long FOR_EVER = 100_000;

  private static final long TIMEWAIT = 512;

  private final CmNet net = new CmNet();
  private final Node active = net.node("10.0.0.1");
  private final Node passive = net.node("10.0.0.2");
  private Listener listener;
  private User asking;
  private User asked;

  @BeforeEach
  void somebody_listens() {
    listener = passive.listen(CmNet.PORT);
  }

  private void ask() {
    asking = active.connect(passive);
    net.deliver();
    asked = listener.only();
  }

  private void accept() {
    assertThat(asked.connection.reply(passive.reply(asked.connection), CmNet.ACK_TIMEOUT)).isTrue();
    net.deliver();
  }

  private void ready() {
    assertThat(asking.connection.ready()).isTrue();
    net.deliver();
  }

  private void connect() {
    ask();
    accept();
    ready();
    assertThat(asking.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
    asking.told.clear();
    asked.told.clear();
    net.sent.clear();
  }

  @Test
  void a_connection_takes_three_messages() {
    ask();
    assertThat(asked.request.userData()).startsWith('h', 'i').hasSize(56);
    accept();
    assertThat(asking.told).containsExactly("replied");
    assertThat(asking.reply.privateData()).startsWith('y', 'o').hasSize(196);
    assertThat(asked.told).isEmpty();

    ready();

    assertThat(asked.told).containsExactly("established");
    assertThat(net.sent).containsExactly("REQ", "REP", "RTU");
    net.pass(FOR_EVER);
    assertThat(net.sent).as("nothing is sent again").hasSize(3);
    assertThat(net.timers.pending()).isZero();
  }

  @Test
  void a_request_says_what_the_kernel_would() {
    active.connect(passive);
    CmReq request = (CmReq) net.take().message();

    assertThat(request.localCaGuid()).isEqualTo(active.agent.caGuid());
    assertThat(request.localCommId()).isNotZero();
    assertThat(request.localCmResponseTimeout()).isEqualTo(20);
    assertThat(request.remoteCmResponseTimeout()).isEqualTo(20);
    assertThat(request.maxCmRetries()).isEqualTo(15);
    assertThat(request.localAckTimeout()).isEqualTo(17);
  }

  @ParameterizedTest
  @ValueSource(strings = {"REQ", "REP", "RTU"})
  void the_loss_of_any_message_of_the_handshake_is_made_good(String name) {
    net.loseNext(name);
    asking = active.connect(passive);
    net.deliver();
    net.pass(5_000);
    asked = listener.only();
    accept();
    if (asking.told.isEmpty()) {
      net.pass(5_000);
    }
    ready();
    net.pass(5_000);

    assertThat(asked.told).containsExactly("established");
    assertThat(asking.told).containsExactly("replied");
    assertThat(net.sent.stream().filter(name::equals).count()).isEqualTo(2);
  }

  @Test
  void a_request_nobody_answers_is_sent_sixteen_times_and_then_unreachable() {
    net.lose(datagram -> true);
    asking = active.connect(passive);
    net.deliver();
    net.pass(15 * CmOptions.DEFAULT.requestMillis());
    assertThat(net.sent).hasSize(16);
    assertThat(asking.told).isEmpty();

    net.pass(CmOptions.DEFAULT.requestMillis());

    assertThat(asking.told).containsExactly("unreachable");
    assertThat(net.sent).hasSize(16);
    assertThat(asking.state()).isEqualTo(CmState.IDLE);
    assertThat(net.timers.pending()).isZero();
  }

  @Test
  void a_reply_nobody_confirms_is_unreachable() {
    ask();
    net.lose(datagram -> datagram.name().equals("REP"));
    accept();

    net.pass(FOR_EVER);

    assertThat(net.sent.stream().filter("REP"::equals).count()).isEqualTo(16);
    assertThat(asked.told).containsExactly("unreachable");
  }

  @Test
  void a_repeated_request_is_asked_for_patience_and_takes_that_long_from_then_on() {
    ask();
    net.takeSent();

    net.pass(5_000);
    assertThat(net.takeSent()).containsExactly("REQ", "MRA");
    net.pass(60_000);
    assertThat(net.takeSent()).as("65 s of patience").isEmpty();
    accept();
    ready();

    assertThat(listener.requests).hasSize(1);
    assertThat(asked.told).containsExactly("established");
  }

  @Test
  void a_repeated_request_is_ignored_once_the_reply_is_out() {
    asking = active.connect(passive);
    CmNet.Datagram request = net.take();
    net.arrive(request);
    asked = listener.only();
    net.lose(datagram -> datagram.name().equals("REP"));
    accept();
    net.takeSent();

    net.arrive(request);

    assertThat(net.sent).isEmpty();
    assertThat(listener.requests).hasSize(1);
    assertThat(passive.counters.get(Name.CM_DUPLICATES)).isEqualTo(1);
  }

  @Test
  void a_repeated_reply_is_asked_for_patience_until_the_client_is_ready() {
    ask();
    accept();
    net.takeSent();
    net.pass(5_000);
    assertThat(net.takeSent()).containsExactly("REP", "MRA");
    assertThat(asking.told).containsExactly("replied");

    ready();

    assertThat(asked.told).containsExactly("established");
  }

  @Test
  void duplicates_of_all_messages_change_nothing() {
    net.lose(
        datagram -> {
          net.arrive(datagram);
          return false;
        });
    ask();
    accept();
    ready();
    assertThat(asked.connection.disconnect()).isTrue();
    net.deliver();
    asking.connection.disconnect();
    net.deliver();
    net.pass(TIMEWAIT);

    assertThat(asking.told).containsExactly("replied", "disconnected 0", "timewait exit");
    assertThat(asked.told).containsExactly("established", "disconnected 0", "timewait exit");
    assertThat(listener.requests).hasSize(1);
  }

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
  void a_disconnect_is_answered_only_when_the_peers_application_answers() {
    connect();

    assertThat(asked.connection.disconnect()).isTrue();
    net.deliver();
    assertThat(asking.told).containsExactly("disconnected 0");
    assertThat(asked.told).isEmpty();
    assertThat(net.sent).containsExactly("DREQ");
    assertThat(asking.connection.disconnect()).isTrue();
    net.deliver();

    assertThat(asked.told).containsExactly("disconnected 0");
    assertThat(net.sent).containsExactly("DREQ", "DREP");
    net.pass(TIMEWAIT);
    assertThat(asked.told).containsExactly("disconnected 0", "timewait exit");
    assertThat(asking.told).containsExactly("disconnected 0", "timewait exit");
    assertThat(passive.agent.tables().remotes()).isZero();
    assertThat(active.agent.tables().remotes()).isZero();
  }

  @Test
  void a_lost_disconnect_or_its_lost_answer_is_made_good() {
    connect();
    net.loseNext("DREQ");
    asked.connection.disconnect();
    net.deliver();
    net.pass(5_000);
    assertThat(asking.told).containsExactly("disconnected 0");
    net.loseNext("DREP");
    asking.connection.disconnect();
    net.deliver();
    assertThat(asked.told).isEmpty();

    net.pass(5_000);

    assertThat(asked.told).startsWith("disconnected 0");
    assertThat(asking.told).containsExactly("disconnected 0", "timewait exit");
  }

  @Test
  void a_disconnect_nobody_answers_ends_with_a_timeout() {
    connect();
    net.lose(datagram -> true);
    asked.connection.disconnect();
    net.deliver();

    net.pass(FOR_EVER);

    assertThat(net.sent).hasSize(16).containsOnly("DREQ");
    assertThat(asked.told).containsExactly("disconnected -110", "timewait exit");
  }

  @Test
  void both_sides_may_disconnect_at_once() {
    connect();
    asked.connection.disconnect();
    asking.connection.disconnect();
    net.deliver();

    assertThat(asking.told).containsExactly("disconnected 0");
    assertThat(asked.told).containsExactly("disconnected 0");
  }

  @Test
  void destroying_a_connection_disconnects_once_and_a_later_disconnect_is_still_answered() {
    connect();
    asking.connection.destroy();
    net.deliver();
    assertThat(net.takeSent()).containsExactly("DREQ");
    assertThat(asked.told).containsExactly("disconnected 0");
    net.pass(FOR_EVER);
    assertThat(net.takeSent()).isEmpty();
    assertThat(asking.told).isEmpty();

    assertThat(asked.connection.disconnect()).isTrue();
    assertThat(net.takeSent()).containsExactly("DREP");
  }

  @Test
  void a_peer_that_forgot_a_connection_is_answered_on_behalf_of_it() {
    connect();
    net.loseNext("DREQ");
    asking.connection.destroy();
    net.deliver();

    asked.connection.disconnect();
    net.deliver();

    assertThat(asked.told).containsExactly("disconnected 0");
    assertThat(net.sent).containsExactly("DREQ", "DREQ", "DREP");
  }

  @Test
  void the_same_queue_pair_with_a_new_number_is_stale_and_ends_the_old_connection() {
    asking = active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();
    asked = listener.only();
    accept();
    ready();
    asking.told.clear();
    asked.told.clear();

    User again = active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();

    assertThat(again.told).containsExactly("rejected " + RejectReason.STALE_CONNECTION);
    assertThat(asking.told).containsExactly("disconnected 0");
    assertThat(asked.state()).isEqualTo(CmState.DREQ_SENT);
    assertThat(listener.requests).hasSize(1);
  }

  @Test
  void numbers_in_timewait_are_stale_and_free_after_it() {
    asking = active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();
    asked = listener.only();
    accept();
    ready();
    asked.connection.disconnect();
    net.deliver();
    asking.connection.disconnect();
    net.deliver();
    listener.requests.clear();
    User early = active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();
    assertThat(early.told).containsExactly("rejected " + RejectReason.STALE_CONNECTION);

    net.pass(TIMEWAIT);
    active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();

    assertThat(listener.requests).hasSize(1);
  }

  @Test
  void a_request_repeated_in_timewait_is_stale() {
    asking = active.connect(passive);
    CmNet.Datagram request = net.take();
    net.arrive(request);
    asked = listener.only();
    accept();
    ready();
    asked.connection.disconnect();
    net.deliver();
    asking.connection.disconnect();
    net.deliver();

    net.arrive(request);

    CmRej reject = (CmRej) net.take().message();
    assertThat(reject.reason()).isEqualTo(RejectReason.STALE_CONNECTION);
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

  @Test
  void a_closed_agent_says_and_hears_nothing() {
    connect();
    active.agent.close();
    net.deliver();
    assertThat(net.sent).isEmpty();
    assertThat(asking.told).isEmpty();

    asked.connection.disconnect();
    net.deliver();

    assertThat(net.sent).as("no answer").isEqualTo(List.of("DREQ"));
  }
}
