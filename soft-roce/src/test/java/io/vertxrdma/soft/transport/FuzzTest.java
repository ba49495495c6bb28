package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Any bytes may arrive: nothing is thrown, no memory outside of regions changes, nobody notices.
 */
class FuzzTest {

  private static final int PACKETS = 1_000_000;
  private static final int PER_ROUND = 1000;
  private static final int[] OPCODES = {
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x1C, 0x64, 0x65
  };

  private final Random random = new Random(42);

  private byte[] garbage(int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A packet whose BTH is right, with garbage behind. */
  private byte[] plausible(int qpn, int psn) {
    byte[] bytes = new byte[12 + random.nextInt(80) * 4];
    random.nextBytes(bytes);
    ByteBuffer packet = ByteBuffer.wrap(bytes);
    int opcode = OPCODES[random.nextInt(OPCODES.length)];
    Headers.putBth(packet, opcode, false, random.nextInt(4), qpn, random.nextBoolean(), psn);
    return bytes;
  }

  @Test
  void a_million_malformed_packets_cost_a_live_connection_nothing() {
    Rig rig = new Rig();
    rig.mtu = 256;
    rig.connect().shortWaits();
    rig.network.stopLogging();
    MemoryRegion source = rig.client.memory(2000);
    MemoryRegion target = rig.server.memory(2000);
    MemoryRegion into = rig.client.memory(2000);
    MemoryRegion counter = rig.server.memory(8);
    InetAddress stranger = End.address("10.0.0.9");
    int clientNext = rig.clientPsn;
    for (int round = 0; round < PACKETS / PER_ROUND; round++) {
      int length = 1 + random.nextInt(2000);
      End.fill(source, 0, length, round);
      rig.server.receive(1, round);
      rig.client.writeImmediate(round, round, source, length, target);
      rig.client.read(round, into, length, target);
      rig.client.fetchAdd(round, into, 1, counter.address(), counter.remoteKey());
      clientNext += 2 * ((length + 255) / 256) + 1;
      for (int i = 0; i < PER_ROUND; i++) {
        boolean toServer = random.nextBoolean();
        End to = toServer ? rig.server : rig.client;
        End from = toServer ? rig.client : rig.server;
        int qpn = to.pair.number();
        // Not a number that the connection uses now: a good CRC would vouch for such a packet.
        int away = clientNext + 0x1000 + random.nextInt(0xFF0000);
        byte[] bytes =
            switch (random.nextInt(5)) {
              case 0 -> garbage(400);
              case 1 -> plausible(qpn ^ 1 << random.nextInt(24), away);
              case 2 -> plausible(1, away);
              default -> plausible(qpn, away);
            };
        InetAddress source2 = random.nextInt(4) == 0 ? stranger : from.address;
        if (source2 == stranger && bytes.length >= 12 && random.nextBoolean()) {
          bytes = plausible(qpn, clientNext - random.nextInt(20));
        }
        rig.network.inject(new FakeNetwork.Packet(source2, to.address, bytes));
      }
      rig.network.run(1);
      for (int wait = 0; wait < 100 && counterOf(counter) < round + 1; wait++) {
        rig.network.run(10);
      }
      rig.network.run(1);
      assertThat(rig.server.poll())
          .extracting(End.Completion::status, End.Completion::immediate, End.Completion::bytes)
          .containsExactly(tuple(0, round, length));
      assertThat(rig.client.pollStatuses()).containsExactly(0, 0, 0);
      assertThat(End.bytes(target, 0, length)).isEqualTo(End.pattern(length, round, 0));
      assertThat(counterOf(counter)).isEqualTo(round + 1);
    }
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(rig.server.count(SoftCounters.Name.DROP_OTHER)).isZero();
    assertThat(rig.client.count(SoftCounters.Name.DROP_OTHER)).isZero();
  }

  private static long counterOf(MemoryRegion counter) {
    return counter.buffer().order(ByteOrder.nativeOrder()).getLong(0);
  }

  @Test
  void a_hostile_peer_with_all_the_right_numbers_gets_at_its_region_only_and_throws_nothing() {
    ByteBuffer all = ByteBuffer.allocateDirect(3 * 512);
    RawPeer peer = new RawPeer();
    MemoryRegion open = peer.end.domain.register(all.slice(512, 512), Set.of(AccessFlag.values()));
    MemoryRegion inbox = peer.end.memory(512);
    int psn = RawPeer.PSN;
    int broken = 0;
    for (int i = 0; i < 300_000; i++) {
      byte[] packet = plausible(peer.end.pair.number(), psn);
      if (packet.length >= 40 && random.nextBoolean()) {
        long address = open.address() + random.nextInt(1024) - 256;
        int pad = packet[1] >> 4 & 3;
        int length = random.nextBoolean() ? random.nextInt(700) : packet.length - 28 - pad;
        ByteBuffer.wrap(packet)
            .putLong(12, address)
            .putInt(20, open.remoteKey())
            .putInt(24, length);
      }
      peer.put(packet);
      peer.network.deliver();
      if (random.nextInt(8) == 0) {
        peer.end.receiveInto(i, inbox, 0, 1 + random.nextInt(512));
      }
      if (random.nextInt(16) == 0) {
        peer.end.read(i, inbox, 300, inbox);
      }
      // It listens to the answers, and now and then does something else.
      for (FakeNetwork.Packet answer : peer.network.log) {
        if (answer.opcode() == 0x11) {
          psn = answer.syndrome() == 0x1F ? answer.psn() + 1 & Headers.MASK_24 : answer.psn();
        }
      }
      peer.network.log.clear();
      psn = psn + (random.nextInt(20) == 0 ? random.nextInt(5) - 2 : 0) & Headers.MASK_24;
      peer.end.poll();
      if (peer.end.pair.state() == QueuePairState.ERR) {
        broken++;
        peer.end.pair.close();
        peer.end.createPair();
        peer.end.pair.connect(
            new ConnectionSetup(
                peer.address,
                RawPeer.QPN,
                psn,
                psn,
                RawPeer.MTU,
                4,
                4,
                14,
                7,
                7,
                Rig.ALL_REMOTE_ACCESS));
      }
    }
    assertThat(broken).as("connections it has broken").isPositive();
    assertThat(peer.end.count(SoftCounters.Name.DROP_OTHER)).isZero();
    byte[] before = new byte[512];
    all.get(0, before);
    assertThat(before).containsOnly(0);
    all.get(1024, before);
    assertThat(before).containsOnly(0);
    byte[] inside = new byte[512];
    all.get(512, inside);
    assertThat(inside).as("it did reach its own region").isNotEqualTo(new byte[512]);
  }
}
