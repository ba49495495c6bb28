package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.cm.CmNet.Listener;
import io.vertxrdma.soft.cm.CmNet.Node;
import io.vertxrdma.soft.cm.CmNet.User;
import io.vertxrdma.soft.wire.Mad;
import java.nio.ByteBuffer;

/**
 * Fuzz target: management datagrams of a peer and of a stranger at an agent with a standing
 * connection, a request under way, and a listener that accepts. Nothing is thrown, and what the
 * stranger says leaves the standing connection alone.
 *
 * <p>An input is a sequence of steps. A step is a byte that says who speaks and which numbers are
 * filled in, and 40 bytes of a datagram behind an intact header; the rest of it is zero.
 */
public final class CmAgentFuzzer {

  private static final int STEP = 40;
  private static final int DATA = 24;
  private static final int FROM_STRANGER = 1;
  private static final int OUR_NUMBER = 2;
  private static final int ITS_NUMBER = 4;
  private static final int RAW_HEADER = 8;
  private static final int TIME_PASSES = 16;
  private static final int ACCEPT = 32;
  private static final int ATTRIBUTES = 11;

  private final CmNet net = new CmNet();
  private final Node victim = net.node("10.0.0.2", new CmOptions(100, 100, 2, 10, 8, 4));
  private final Node peer = net.node("10.0.0.1");
  private final Node stranger = net.node("10.0.0.66");
  private final Listener listener = victim.listen(CmNet.PORT);
  private final User standing;
  private final User underWay;
  private boolean peerSpoke;

  private CmAgentFuzzer() {
    User asking = peer.connect(victim, CmNet.PORT, 0x77);
    net.deliver();
    standing = listener.only();
    standing.connection.reply(victim.reply(standing.connection), CmNet.ACK_TIMEOUT);
    net.deliver();
    asking.connection.ready();
    net.deliver();
    underWay = victim.connect(peer, CmNet.OTHER_PORT, 0x78);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /**
   * One input: steps.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    CmAgentFuzzer fuzzer = new CmAgentFuzzer();
    ByteBuffer bytes = ByteBuffer.wrap(input);
    for (int i = 0; i < 16 && bytes.remaining() > STEP; i++) {
      fuzzer.step(bytes);
    }
    fuzzer.end();
  }

  private void step(ByteBuffer bytes) {
    int how = bytes.get();
    ByteBuffer mad = ByteBuffer.allocate(Mad.LENGTH);
    byte[] given = new byte[STEP];
    bytes.get(given);
    if ((how & RAW_HEADER) != 0) {
      mad.put(0, given);
    } else {
      mad.putInt(0, 0x01070203);
      mad.putShort(16, (short) (0x10 + (given[0] & 0xFF) % ATTRIBUTES));
      mad.put(DATA, given, 1, STEP - 1);
    }
    CmConnection about = (how & ITS_NUMBER) != 0 ? standing.connection : underWay.connection;
    if ((how & OUR_NUMBER) != 0) {
      mad.putInt(DATA, about.remoteId());
      mad.putInt(DATA + 4, about.localId());
    }
    boolean strange = (how & FROM_STRANGER) != 0;
    peerSpoke |= !strange;
    victim.agent.datagram((strange ? stranger : peer).address, mad);
    if ((how & ACCEPT) != 0) {
      listener.requests.stream()
          .skip(1)
          .forEach(user -> user.connection.reply(victim.reply(user.connection), CmNet.ACK_TIMEOUT));
    }
    if ((how & TIME_PASSES) != 0) {
      net.pass(150);
    }
    // What it answers is lost: the speakers are scripts.
    while (!net.isQuiet()) {
      net.take();
    }
  }

  private void end() {
    if (!peerSpoke) {
      check(standing.state() == CmState.ESTABLISHED, "a stranger ended a connection");
      check(standing.told.equals(java.util.List.of("established")), "and somebody was told");
    }
    victim.agent.close();
    check(victim.agent.tables().all().isEmpty(), "connections are left");
    check(victim.agent.tables().remotes() == 0, "numbers of peers are left");
  }
}
