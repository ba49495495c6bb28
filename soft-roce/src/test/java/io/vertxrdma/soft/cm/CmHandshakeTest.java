package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.CmReq;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How two agents connect, over a wire that loses and repeats what the test says. */
class CmHandshakeTest extends CmPair {

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
}
