package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.SoftCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lossy network loses, doubles and reorders packets; the reliable connection shows none of it.
 */
class DeliveryTest {

  private static final int MESSAGES = 5000;
  private static final int SLOT = 5000;
  private static final int SLOTS = 64;
  private static final int MTU = 1024;

  // With a fifth of all packets lost, eight losses in a row are not rare among 5,000 messages, and
  // then seven retries are not enough for any implementation; with these seeds it doesn't happen.
  @ParameterizedTest
  @ValueSource(longs = {1, 3, 6, 8, 9})
  void five_thousand_writes_arrive_once_in_order_and_bit_exact_over_a_bad_network(long seed) {
    Rig rig = new Rig();
    rig.mtu = MTU;
    // The packet sequence numbers go round several times while this runs.
    rig.clientPsn = 0xFFFF80;
    rig.connect().shortWaits();
    rig.network.stopLogging();
    rig.network.setFaults(seed, 0.2, 0.1, 0.2);
    Random random = new Random(seed);
    MemoryRegion source = rig.client.memory(SLOT * SLOTS);
    MemoryRegion target = rig.server.memory(SLOT * SLOTS);
    rig.server.receive(SLOTS, 0);
    int[] lengths = new int[MESSAGES];
    int posted = 0;
    int arrived = 0;
    int completed = 0;
    while (completed < MESSAGES || arrived < MESSAGES) {
      // A slot is free again when its message has been looked at.
      while (posted < MESSAGES && posted - Math.min(arrived, completed) < SLOTS) {
        lengths[posted] = length(random);
        int slot = posted % SLOTS * SLOT;
        End.fill(source, slot, lengths[posted], posted);
        int errno =
            rig.client.post(
                posted,
                SendOpcode.RDMA_WRITE_WITH_IMM,
                SendFlag.SIGNALED,
                posted,
                source,
                slot,
                lengths[posted],
                target.address() + slot,
                target.remoteKey());
        assertThat(errno).isZero();
        posted++;
      }
      rig.network.run(1);
      for (End.Completion completion : rig.server.poll()) {
        assertThat(completion.status()).isZero();
        assertThat(completion.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
        assertThat(completion.immediate()).isEqualTo(arrived);
        assertThat(completion.id()).isEqualTo(arrived);
        assertThat(completion.bytes()).isEqualTo(lengths[arrived]);
        int slot = arrived % SLOTS * SLOT;
        assertThat(End.bytes(target, slot, lengths[arrived]))
            .as("message %d", arrived)
            .isEqualTo(End.pattern(lengths[arrived], arrived, 0));
        arrived++;
        rig.server.receive(1, arrived + SLOTS - 1);
      }
      for (End.Completion completion : rig.client.poll()) {
        assertThat(completion.status()).as("status of write %d", completed).isZero();
        assertThat(completion.id()).isEqualTo(completed++);
      }
    }
    rig.network.setFaults(seed, 0, 0, 0);
    rig.network.run(10_000);
    assertThat(rig.server.poll()).isEmpty();
    assertThat(rig.client.poll()).isEmpty();
    assertThat(rig.client.count(SoftCounters.Name.RETRANSMITTED)).isPositive();
    assertThat(rig.network.timers.running()).as("timers that run when all is done").isZero();
  }

  private static int length(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> 1 + random.nextInt(16);
      case 2 -> MTU - 1 + random.nextInt(3);
      case 3 -> 3 * MTU;
      default -> random.nextInt(SLOT);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {12, 13, 14})
  void everything_at_once_in_both_directions_survives_a_bad_network(long seed) {
    Rig rig = new Rig();
    rig.mtu = 256;
    rig.timeout = 9;
    rig.serverPsn = 0xFFFFF0;
    rig.connect().shortWaits();
    rig.network.stopLogging();
    rig.network.setFaults(seed, 0.1, 0.1, 0.15);
    Mixed toServer = new Mixed(rig.client, rig.server, seed);
    Mixed toClient = new Mixed(rig.server, rig.client, seed + 100);
    for (int round = 0; round < 20_000 && !(toServer.isDone() && toClient.isDone()); round++) {
      toServer.post();
      toClient.post();
      rig.network.run(1);
      List<End.Completion> atClient = rig.client.poll();
      List<End.Completion> atServer = rig.server.poll();
      toServer.check(atClient);
      toClient.check(atServer);
    }
    assertThat(toServer.isDone()).isTrue();
    assertThat(toClient.isDone()).isTrue();
    assertThat(toServer.counter()).isEqualTo(toServer.added);
    assertThat(toClient.counter()).isEqualTo(toClient.added);
  }

  /** Sends, writes, reads and atomics from one end to the other, each checked when it completes. */
  private static final class Mixed {
    private static final int OPERATIONS = 1500;
    private static final int SIZE = 2000;
    private static final long SEND_BIT = 1L << 40;

    private final End from;
    private final End to;
    private final Random random;
    private final MemoryRegion source;
    private final MemoryRegion result;
    private final MemoryRegion target;
    private final MemoryRegion inbox;
    private final MemoryRegion readable;
    private final MemoryRegion atomic;
    private final List<Integer> kinds = new ArrayList<>();
    private int posted;
    private int completed;
    private int receives;
    private long added;

    Mixed(End from, End to, long seed) {
      this.from = from;
      this.to = to;
      this.random = new Random(seed);
      this.source = from.pattern(SIZE, 3);
      this.result = from.memory(SIZE);
      this.target = to.memory(SIZE);
      this.inbox = to.memory(SIZE);
      this.readable = to.pattern(SIZE, 9);
      this.atomic = to.memory(8);
      for (int i = 0; i < 4; i++) {
        to.receiveInto(SEND_BIT, inbox, 0, SIZE);
      }
    }

    boolean isDone() {
      return completed == OPERATIONS;
    }

    long counter() {
      return atomic.buffer().order(java.nio.ByteOrder.nativeOrder()).getLong(0);
    }

    /** One at a time, so that the memory can be looked at in between, but with others under way. */
    void post() {
      if (posted > completed || posted == OPERATIONS) {
        return;
      }
      int length = random.nextInt(SIZE) + 1;
      int kind = random.nextInt(4);
      kinds.add(kind);
      int errno =
          switch (kind) {
            case 0 -> from.write(posted, source, length, target);
            case 1 -> from.send(posted, source, length);
            case 2 -> from.read(posted, result, length, readable);
            default -> {
              added += length;
              yield from.fetchAdd(posted, result, length, atomic.address(), atomic.remoteKey());
            }
          };
      assertThat(errno).isZero();
      posted++;
      lengthOfLast = length;
    }

    private int lengthOfLast;

    void check(List<End.Completion> completions) {
      for (End.Completion completion : completions) {
        if (completion.opcode() == WorkCompletionOpcode.RECV) {
          continue;
        }
        assertThat(completion.status()).isZero();
        assertThat(completion.id()).isEqualTo(completed);
        byte[] expected = End.pattern(lengthOfLast, 3, 0);
        switch (kinds.get(completed)) {
          case 0 -> assertThat(End.bytes(target, 0, lengthOfLast)).isEqualTo(expected);
          case 1 -> {
            assertThat(End.bytes(inbox, 0, lengthOfLast)).isEqualTo(expected);
            to.receiveInto(SEND_BIT, inbox, 0, SIZE);
            receives++;
          }
          case 2 ->
              assertThat(End.bytes(result, 0, lengthOfLast))
                  .isEqualTo(End.pattern(lengthOfLast, 9, 0));
          default ->
              assertThat(result.buffer().order(java.nio.ByteOrder.nativeOrder()).getLong(0))
                  .isEqualTo(added - lengthOfLast);
        }
        completed++;
      }
    }
  }

  @Test
  void a_write_of_many_windows_arrives_whole() {
    Rig rig = new Rig();
    rig.connect();
    int length = 1024 * 300 + 17;
    MemoryRegion source = rig.client.pattern(length, 5);
    MemoryRegion target =
        rig.server.memory(length, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    rig.client.write(1, source, length, target);
    int inFlight = rig.network.log.size();
    assertThat(inFlight).as("packets before the first acknowledgement").isEqualTo(128);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(target, 0, length)).isEqualTo(End.pattern(length, 5, 0));
    assertThat(rig.client.count(SoftCounters.Name.RETRANSMITTED)).isZero();
  }
}
