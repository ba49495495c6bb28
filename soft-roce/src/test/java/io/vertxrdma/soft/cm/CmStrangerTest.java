package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RejectReason;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import io.vertxrdma.soft.wire.CmDrep;
import io.vertxrdma.soft.wire.CmDreq;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmMra;
import io.vertxrdma.soft.wire.CmRej;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmRtu;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A stranger that knows all numbers of a connection, but not its address, changes nothing. */
class CmStrangerTest {

  private static final byte[] NONE = {};

  private final CmNet net = new CmNet();
  private final Node active = net.node("10.0.0.1");
  private final Node passive = net.node("10.0.0.2");
  private final Node stranger = net.node("10.0.0.66");
  private Listener listener;
  private User asking;
  private User asked;

  @BeforeEach
  void two_are_about_to_connect() {
    listener = passive.listen(CmNet.PORT);
    asking = active.connect(passive, CmNet.PORT, 0x77);
    net.deliver();
    asked = listener.only();
  }

  private void accept() {
    asked.connection.reply(passive.reply(asked.connection), CmNet.ACK_TIMEOUT);
    net.deliver();
  }

  private void connect() {
    accept();
    asking.connection.ready();
    net.deliver();
    asking.told.clear();
    asked.told.clear();
  }

  private byte[] guid(Node node) {
    return ByteBuffer.allocate(8).putLong(node.agent.caGuid()).array();
  }

  /** Everything a stranger could say to one end, with the right numbers. */
  private List<CmMessage> forged(CmConnection victim, int victimQpn, Node peer) {
    int mine = victim.remoteId();
    int yours = victim.localId();
    return List.of(
        new CmRtu(mine, yours, NONE),
        new CmDreq(mine, yours, victimQpn, NONE),
        new CmDrep(mine, yours, NONE),
        new CmMra(mine, yours, 0, 31, NONE),
        new CmMra(mine, yours, 1, 31, NONE),
        new CmRej(mine, yours, CmRej.REJECTS_REQ, 28, NONE, NONE),
        new CmRej(mine, yours, CmRej.REJECTS_REP, 28, NONE, NONE),
        new CmRej(mine, yours, CmRej.REJECTS_OTHER, 10, NONE, NONE),
        new CmRej(mine, 0, CmRej.REJECTS_OTHER, RejectReason.TIMEOUT, guid(peer), NONE));
  }

  @Test
  void a_request_under_way_is_not_disturbed() {
    forged(asked.connection, 0, active).forEach(message -> stranger.forge(passive, 9, message));
    forged(asking.connection, 0x77, passive).forEach(message -> stranger.forge(active, 9, message));
    stranger.forge(active, 9, passive.reply(asked.connection));

    assertThat(asking.told).isEmpty();
    assertThat(asked.told).isEmpty();
    assertThat(asking.state()).isEqualTo(CmState.REQ_SENT);
    assertThat(asked.state()).isEqualTo(CmState.REQ_RECEIVED);
    assertThat(passive.counters.get(Name.DROP_STRANGE_MAD)).isPositive();
    connect();
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
  }

  @Test
  void a_reply_under_way_is_not_confirmed_by_another() {
    accept();

    forged(asked.connection, 0x101, active).forEach(message -> stranger.forge(passive, 9, message));

    assertThat(asked.told).isEmpty();
    assertThat(asked.state()).isEqualTo(CmState.REP_SENT);
  }

  @Test
  void a_standing_connection_is_not_ended() {
    accept();
    int passiveQpn = asking.reply.localQpn();
    asking.connection.ready();
    net.deliver();
    asked.told.clear();

    forged(asked.connection, passiveQpn, active)
        .forEach(message -> stranger.forge(passive, 9, message));
    forged(asking.connection, 0x77, passive).forEach(message -> stranger.forge(active, 9, message));

    assertThat(asked.told).isEmpty();
    assertThat(asking.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
  }

  @Test
  void a_request_with_anothers_device_and_queue_pair_makes_nothing_stale() {
    connect();
    CmReq same =
        stranger
            .request(passive, CmNet.PORT, 0x77)
            .localCaGuid(active.agent.caGuid())
            .localCommId(asking.connection.localId())
            .build();

    stranger.forge(passive, 9, same);

    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(listener.requests).as("it is just another request").hasSize(2);
  }

  @Test
  void the_peer_itself_with_a_wrong_queue_pair_does_not_disconnect() {
    connect();

    active.forge(
        passive, 9, new CmDreq(asking.connection.localId(), asked.connection.localId(), 0x1, NONE));

    assertThat(asked.told).isEmpty();
    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
  }

  @Test
  void a_request_with_all_numbers_zero_leaves_nothing_once_it_is_rejected() {
    int before = passive.agent.tables().remotes();
    stranger.forge(
        passive, 9, stranger.request(passive, CmNet.PORT, 0).localCommId(0).localCaGuid(0).build());
    assertThat(passive.agent.tables().remotes()).isEqualTo(before + 1);

    listener.requests.get(1).connection.reject(NONE);

    assertThat(passive.agent.tables().remotes()).isEqualTo(before);
  }

  @RepeatedTest(20)
  void random_bytes_behind_a_good_header_harm_nothing() {
    connect();
    Random random = new Random(4711);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[256];
      random.nextBytes(bytes);
      bytes[0] = 1;
      bytes[1] = 7;
      bytes[2] = 2;
      bytes[3] = 3;
      bytes[16] = 0;
      bytes[17] = (byte) (0x10 + random.nextInt(9));
      passive.agent.datagram(stranger.address, ByteBuffer.wrap(bytes));
    }
    net.deliver();

    assertThat(asked.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(asked.told).isEmpty();
  }
}
