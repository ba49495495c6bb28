package io.vertxrdma.soft.transport;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import java.nio.ByteBuffer;

/**
 * Fuzz target: packets of a hostile peer, or in its name, at a queue pair that also reads, writes
 * and adds. Nothing is thrown, nothing but the peer's region changes, and every request of the
 * queue pair completes once.
 *
 * <p>An input is a sequence of steps: a byte that says what happens, for a packet followed by its
 * opcode, its distance to the packet sequence number that is expected, its length in words, and its
 * bytes behind the BTH.
 */
public final class EngineFuzzer {

  private static final int STEPS = 32;
  private static final int SIZE = 512;
  private static final EngineFuzzer ONE = new EngineFuzzer();

  private final RawPeer peer = new RawPeer();
  private final ByteBuffer all = ByteBuffer.allocateDirect(3 * SIZE);
  private final MemoryRegion open =
      peer.end.domain.register(
          all.slice(SIZE, SIZE), java.util.Set.of(io.vertxrdma.core.AccessFlag.values()));
  private final MemoryRegion inbox = peer.end.memory(SIZE);
  private int posted;
  private int completed;

  private EngineFuzzer() {
    // Small queues, made anew for each input.
    peer.end.capabilities = new QueuePairCapabilities(STEPS, STEPS, 1, 1, 0);
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
    ONE.run(ByteBuffer.wrap(input));
  }

  private void run(ByteBuffer input) {
    posted = 0;
    completed = 0;
    peer.end.pair.close();
    peer.end.createPair();
    peer.end.pair.connect(
        new ConnectionSetup(
            peer.address,
            RawPeer.QPN,
            RawPeer.OWN_PSN,
            RawPeer.PSN,
            RawPeer.MTU,
            4,
            4,
            14,
            1,
            1,
            Rig.ALL_REMOTE_ACCESS));
    for (int i = 0; i < STEPS && input.hasRemaining(); i++) {
      step(input);
    }
    if (peer.end.pair.state() != QueuePairState.ERR) {
      peer.end.pair.toError();
    }
    poll();
    check(completed == posted, "posted " + posted + " but completed " + completed);
    check(peer.end.count(SoftCounters.Name.DROP_OTHER) == 0, "something was thrown");
    for (int at = 0; at < SIZE; at++) {
      check(all.get(at) == 0 && all.get(2 * SIZE + at) == 0, "memory outside of the region");
    }
    peer.network.log.clear();
    peer.end.asyncEvent();
  }

  private void step(ByteBuffer input) {
    int what = input.get() & 0xFF;
    switch (what & 7) {
      case 0 -> {
        // In error a receive is taken and never flushed, as on rxe.
        if (peer.end.pair.state() != QueuePairState.ERR) {
          count(peer.end.receiveInto(1, inbox, 0, 1 + (what >> 3) * 16));
        }
      }
      case 1 -> count(peer.end.read(2, inbox, 1 + (what >> 3) * 16, open));
      case 2 -> count(peer.end.write(3, inbox, (what >> 3) * 16, open));
      case 3 -> count(peer.end.fetchAdd(4, inbox, 1, open.address(), open.remoteKey()));
      case 4 -> peer.network.run(1 + (what >> 3));
      default -> packet(what, input);
    }
    poll();
  }

  private void count(int errno) {
    posted += errno == 0 ? 1 : 0;
  }

  private void poll() {
    completed += peer.end.poll().size();
  }

  private void packet(int what, ByteBuffer input) {
    if (input.remaining() < 3) {
      return;
    }
    int opcode = input.get() & 0xFF;
    int distance = input.get();
    int words = input.get() & 0x7F;
    boolean response = opcode >= 0x0D && opcode <= 0x12;
    int psn = (response ? RawPeer.OWN_PSN : RawPeer.PSN) + distance & Headers.MASK_24;
    ByteBuffer packet = ByteBuffer.allocate(Headers.BTH_LENGTH + 4 * words);
    Headers.putBth(
        packet, opcode, false, what >> 3 & 3, peer.end.pair.number(), (what & 32) != 0, psn);
    int given = Math.min(input.remaining(), packet.remaining());
    packet.put(input.slice(input.position(), given));
    input.position(input.position() + given);
    if ((what & 64) != 0 && packet.limit() >= 24) {
      packet.putInt(20, open.remoteKey());
    }
    if ((what & 128) != 0 && packet.limit() >= 24) {
      packet.putLong(12, open.address() + packet.get(19));
    }
    peer.put(packet.array());
    peer.network.deliver();
  }
}
