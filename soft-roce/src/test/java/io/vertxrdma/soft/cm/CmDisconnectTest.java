package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.cm.CmNet.User;
import io.vertxrdma.soft.wire.CmRej;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How connections end, and what stays of them in timewait. */
class CmDisconnectTest extends CmPair {

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
