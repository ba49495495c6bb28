package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import io.vertxrdma.soft.wire.CmDrep;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmRtu;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.ServiceId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What forged addresses and forged messages can make an agent do, and what not. */
class CmHostileTest {

  private static final byte[] NONE = {};
  private static final int MAD_DATA = 24;

  private final CmNet net = new CmNet();
  private final Node victim = net.node("10.0.0.2");
  private final Node peer = net.node("10.0.0.1");
  private final Node stranger = net.node("10.0.0.66");
  private final Listener listener = victim.listen(CmNet.PORT);

  /** A request with timers that its sender chose for the worst. */
  private CmReq impatient(int number) {
    return stranger
        .request(victim, CmNet.PORT, 0x100 + number)
        .localCommId(number)
        .localCaGuid(666)
        .localCmResponseTimeout(0)
        .maxCmRetries(15)
        .build();
  }

  private void accept(User user) {
    user.connection.reply(victim.reply(user.connection), CmNet.ACK_TIMEOUT);
  }

  @Test
  void an_accepted_request_with_a_forged_address_sends_sixteen_replies_half_a_second_apart() {
    net.lose(datagram -> datagram.destination().equals(stranger.address));
    stranger.forge(victim, 1, impatient(1));
    accept(listener.only());
    net.deliver();

    net.pass(490);
    assertThat(net.takeSent()).containsExactly("REP");
    net.pass(20);
    assertThat(net.takeSent()).containsExactly("REP");
    net.pass(60_000);

    assertThat(net.takeSent()).hasSize(14).containsOnly("REP");
    assertThat(listener.only().told).containsExactly("unreachable");
    assertThat(CmCensus.of(victim.agent)).isEqualTo(new CmCensus(0, 0, 0, 0));
    assertThat(net.timers.pending()).isZero();
  }

  @Test
  void requests_over_the_bound_of_their_address_are_dropped_and_others_get_in() {
    Node bounded = net.node("10.0.0.3", new CmOptions(4608, 4096, 15, 17, 100, 4));
    Listener busy = bounded.listen(CmNet.PORT);
    for (int i = 1; i <= 10; i++) {
      CmReq request =
          stranger.request(bounded, CmNet.PORT, i).localCommId(i).localCaGuid(i).build();
      stranger.forge(bounded, i, request);
    }
    assertThat(busy.requests).hasSize(4);
    assertThat(bounded.counters.get(Name.DROP_BACKLOG)).isEqualTo(6);
    assertThat(net.sent).as("in silence").isEmpty();

    peer.connect(bounded);
    net.deliver();

    assertThat(busy.requests).hasSize(5);
    assertThat(CmCensus.of(bounded.agent)).isEqualTo(new CmCensus(5, 5, 2, 0));
  }

  @Test
  void datagram_requests_are_bounded_with_them() {
    Node bounded = net.node("10.0.0.3", new CmOptions(4608, 4096, 15, 17, 100, 4));
    Listener busy = bounded.listen(CmNet.OTHER_PORT);
    byte[] header = new CmaHeader(5, stranger.address, bounded.address).before(NONE);
    for (int i = 1; i <= 10; i++) {
      long service = ServiceId.of(PortSpace.UDP, CmNet.OTHER_PORT);
      stranger.forge(bounded, i, new CmSidrReq(i, 0xFFFF, service, header));
    }

    assertThat(busy.lookups).hasSize(4);
    assertThat(bounded.counters.get(Name.DROP_BACKLOG)).isEqualTo(6);
    assertThat(CmCensus.of(bounded.agent)).isEqualTo(new CmCensus(0, 0, 1, 4));
    busy.lookups.forEach(lookup -> lookup.reject(NONE));
    assertThat(CmCensus.of(bounded.agent)).isEqualTo(new CmCensus(0, 0, 0, 0));
  }

  /** An application that takes nothing: whatever arrives makes at most as many datagrams leave. */
  @Test
  void no_datagram_is_answered_with_more_than_one() {
    User asking = peer.connect(victim);
    net.deliver();
    accept(listener.only());
    net.deliver();
    asking.connection.ready();
    net.deliver();
    CmConnection standing = listener.only().connection;
    Random random = new Random(4711);
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer mad = ByteBuffer.allocate(Mad.LENGTH);
      random.nextBytes(mad.array());
      mad.putInt(0, 0x01070203).putShort(16, (short) (0x10 + random.nextInt(9)));
      if (random.nextBoolean()) {
        mad.putInt(MAD_DATA, standing.remoteId()).putInt(MAD_DATA + 4, standing.localId());
      }
      if (random.nextBoolean()) {
        CmMessage message = random.nextBoolean() ? impatient(i) : new CmDreq(i, i, i, NONE);
        mad = new Mad(i, message).encode();
      }
      net.sent.clear();
      victim.agent.datagram(stranger.address, mad);
      assertThat(net.sent).hasSizeLessThanOrEqualTo(1);
      while (!net.isQuiet()) {
        net.take();
      }
    }
    assertThat(standing.state()).isEqualTo(CmState.ESTABLISHED);
  }

  @Test
  void each_forged_message_of_another_address_is_counted_as_strange_and_nothing_else_moves() {
    User asking = peer.connect(victim);
    net.deliver();
    User asked = listener.only();
    accept(asked);
    net.deliver();
    asking.connection.ready();
    net.deliver();
    asked.told.clear();
    int mine = asked.connection.remoteId();
    int yours = asked.connection.localId();
    List<CmMessage> forged =
        List.of(
            new CmRtu(mine, yours, NONE),
            new CmDrep(mine, yours, NONE),
            new CmRej(mine, yours, CmRej.REJECTS_REQ, 28, NONE, NONE),
            new CmRej(mine, yours, CmRej.REJECTS_REP, 28, NONE, NONE),
            peer.reply(asked.connection),
            new CmDreq(mine, yours, asking.reply.localQpn(), NONE));
    CmCensus before = CmCensus.of(victim.agent);
    for (CmMessage message : forged) {
      Map<Name, Long> counted = new EnumMap<>(victim.counters.snapshot());
      stranger.forge(victim, 9, message);
      Map<Name, Long> moved = new EnumMap<>(victim.counters.snapshot());
      counted.forEach((name, value) -> moved.merge(name, -value, Long::sum));
      moved.values().removeIf(change -> change == 0);
      // A DREQ is answered on behalf of a connection nobody knows, as the kernel does.
      moved.remove(Name.CM_SENT);
      assertThat(moved)
          .as("%s", message)
          .containsOnly(Map.entry(Name.CM_RECEIVED, 1L), Map.entry(Name.DROP_STRANGE_MAD, 1L));
    }
    assertThat(CmCensus.of(victim.agent)).isEqualTo(before);
    assertThat(asked.told).isEmpty();
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
  }

  @Test
  void the_first_numbers_of_an_agent_are_different_each_time() {
    Set<Integer> ids = new HashSet<>();
    List<Long> transactions = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Node node = net.node("10.1.0.1");
      ids.add(node.connect(victim).connection.localId());
      transactions.add(net.take().mad().transactionId());
    }
    assertThat(ids).hasSize(64);
    assertThat(transactions).doesNotHaveDuplicates();
    assertThat(ids.stream().map(id -> id >>> 28).distinct().count())
        .as("spread over the whole range")
        .isGreaterThan(8);
  }
}
