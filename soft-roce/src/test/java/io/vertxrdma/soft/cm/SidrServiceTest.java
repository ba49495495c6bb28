package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.ServiceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lookups of datagram queue pairs. */
class SidrServiceTest {

  private final CmNet net = new CmNet();
  private final Node client = net.node("10.0.0.1");
  private final Node server = net.node("10.0.0.2");
  private final List<String> told = new ArrayList<>();

  private SidrLookup lookup() {
    return client
        .agent
        .sidr()
        .lookup(
            server.address,
            ServiceId.of(PortSpace.UDP, CmNet.OTHER_PORT),
            new CmaHeader(5555, client.address, server.address).before(new byte[] {3}),
            new SidrLookup.User() {
              @Override
              public void resolved(CmSidrRep reply) {
                told.add("resolved " + reply.qpn() + " with " + reply.qkey());
              }

              @Override
              public void unreachable(int status, byte[] privateData) {
                told.add("unreachable " + status);
              }
            });
  }

  @Test
  void a_service_tells_queue_pair_and_key_however_often_messages_are_lost() {
    Listener listener = server.listen(CmNet.OTHER_PORT);
    net.loseNext("SIDRREQ");
    lookup();
    net.deliver();
    net.pass(5_000);
    assertThat(listener.lookups).hasSize(1);

    assertThat(listener.lookups.get(0).accept(0x123, 0x99, new byte[0])).isTrue();
    net.deliver();

    assertThat(told).containsExactly("resolved " + 0x123 + " with " + 0x99);
    assertThat(listener.lookups.get(0).reject(new byte[0])).as("answered once").isFalse();
    assertThat(net.timers.pending()).isZero();
  }

  @Test
  void a_repeated_request_is_counted_while_the_first_waits() {
    Listener listener = server.listen(CmNet.OTHER_PORT);
    lookup();
    net.deliver();

    net.pass(9_000);

    assertThat(listener.lookups).hasSize(1);
    assertThat(server.counters.get(Name.CM_DUPLICATES)).isEqualTo(2);
  }

  @Test
  void a_service_that_says_no_and_one_that_is_not_there() {
    Listener listener = server.listen(CmNet.OTHER_PORT);
    lookup();
    net.deliver();
    listener.lookups.get(0).reject(new byte[0]);
    net.deliver();
    server.listeners.clear();
    lookup();
    net.deliver();

    assertThat(told)
        .containsExactly(
            "unreachable " + CmSidrRep.STATUS_REJECTED,
            "unreachable " + CmSidrRep.STATUS_UNSUPPORTED);
  }

  @Test
  void nobody_answers() {
    net.lose(datagram -> true);
    lookup();

    net.pass(100_000);

    assertThat(told).containsExactly("unreachable -110");
    assertThat(net.sent).hasSize(16);
  }

  @Test
  void a_cancelled_lookup_is_told_nothing_and_an_answer_of_another_address_neither() {
    server.listen(CmNet.OTHER_PORT);
    SidrLookup lookup = lookup();
    Node stranger = net.node("10.0.0.66");
    stranger.forge(
        client, 1, new CmSidrRep(lookup.id(), CmSidrRep.STATUS_VALID, 1, 1, 1, new byte[0]));
    assertThat(told).isEmpty();
    assertThat(client.counters.get(Name.DROP_STRANGE_MAD)).isEqualTo(1);

    lookup.cancel();
    net.pass(100_000);

    assertThat(told).isEmpty();
    assertThat(net.sent).hasSize(1);
  }
}
