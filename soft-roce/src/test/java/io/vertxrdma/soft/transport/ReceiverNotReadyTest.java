package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.soft.SoftCounters;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases I1, I2 and P7: what happens when the peer has nothing to receive into. */
class ReceiverNotReadyTest {

  private final Rig rig = new Rig();

  private static void writeMany(End end, int count) {
    try (SendBatch batch = end.pair.allocateSendBatch(count, 0)) {
      for (int i = 0; i < count; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, i, 0, 0);
      }
      assertThat(batch.post()).isZero();
    }
  }

  private static List<Integer> immediates(List<End.Completion> completions) {
    assertThat(completions).allMatch(completion -> completion.status() == 0);
    return completions.stream().map(End.Completion::immediate).toList();
  }

  @Test
  void five_hundred_and_twelve_writes_onto_256_receives_all_arrive_once_after_a_refill() {
    rig.connect();
    rig.server.receive(256, 0);
    writeMany(rig.client, 512);
    rig.network.run(300);
    assertThat(immediates(rig.server.poll())).isEqualTo(IntStream.range(0, 256).boxed().toList());
    assertThat(rig.client.pollIds()).isEqualTo(LongStream.range(0, 256).boxed().toList());
    assertThat(rig.server.count(SoftCounters.Name.SEND_RNR_NAK)).isPositive();
    rig.server.receive(256, 256);
    rig.network.run(1000);
    assertThat(immediates(rig.server.poll())).isEqualTo(IntStream.range(256, 512).boxed().toList());
    assertThat(rig.client.pollIds()).isEqualTo(LongStream.range(256, 512).boxed().toList());
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void without_retries_the_write_fails_with_13_and_only_the_sender_is_in_error() {
    rig.clientRnrRetryCount = 0;
    rig.connect();
    writeMany(rig.client, 3);
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(0L, 13), tuple(1L, 5), tuple(2L, 5));
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(rig.server.poll()).isEmpty();
    assertThat(rig.network.timers.running()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6})
  void a_count_of_n_waits_n_times_and_then_fails(int count) {
    rig.clientRnrRetryCount = count;
    rig.connect().shortWaits();
    writeMany(rig.client, 1);
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(13);
    assertThat(rig.client.count(SoftCounters.Name.RECEIVED_RNR_NAK)).isEqualTo(count + 1);
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isZero();
  }

  @Test
  void progress_gives_all_retries_back() {
    rig.clientRnrRetryCount = 1;
    rig.connect().shortWaits();
    writeMany(rig.client, 5);
    rig.deliver();
    for (int i = 0; i < 5; i++) {
      rig.server.receive(1, i);
      rig.network.timers.runNext(Long.MAX_VALUE);
      rig.deliver();
    }
    assertThat(rig.client.pollStatuses()).containsExactly(0, 0, 0, 0, 0);
  }

  @Test
  void a_count_of_7_never_gives_up() {
    rig.connect().shortWaits();
    writeMany(rig.client, 1);
    rig.network.run(5_000);
    assertThat(rig.client.poll()).isEmpty();
    assertThat(rig.client.count(SoftCounters.Name.RECEIVED_RNR_NAK)).isGreaterThan(5_000);
    rig.server.receive(1, 9);
    rig.network.run(1);
    assertThat(rig.client.pollStatuses()).containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource({"0, 655360", "1, 10", "12, 640", "26, 81920", "31, 491520"})
  void the_sender_waits_as_long_as_the_receiver_asks(int code, long micros) {
    rig.timeout = 0;
    rig.connect();
    rig.server.pair.setMinRnrTimer(code);
    writeMany(rig.client, 1);
    rig.deliver();
    rig.server.receive(1, 0);
    int sent = rig.network.log.size();
    rig.network.timers.runNext(micros * 1000 - 1);
    assertThat(rig.network.log).as("nothing is sent before the time is over").hasSize(sent);
    rig.network.timers.runNext(micros * 1000);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 7", "7, 0", "7, 7"})
  void each_side_obeys_its_own_count(int clientCount, int serverCount) {
    rig.clientRnrRetryCount = clientCount;
    rig.serverRnrRetryCount = serverCount;
    rig.connect();
    rig.client.writeImmediate(1, 1);
    rig.deliver();
    if (clientCount == 0) {
      assertThat(rig.client.pollStatuses()).containsExactly(13);
    } else {
      rig.server.receive(1, 0);
      rig.network.run(700);
      assertThat(rig.client.pollStatuses()).containsExactly(0);
    }
    Rig other = new Rig();
    other.clientRnrRetryCount = clientCount;
    other.serverRnrRetryCount = serverCount;
    other.connect();
    other.server.writeImmediate(1, 1);
    other.deliver();
    if (serverCount == 0) {
      assertThat(other.server.pollStatuses()).containsExactly(13);
    } else {
      other.client.receive(1, 0);
      other.network.run(700);
      assertThat(other.server.pollStatuses()).containsExactly(0);
    }
  }

  @Test
  void all_but_the_last_packet_of_a_write_land_before_a_receive_is_posted() {
    rig.connect();
    MemoryRegion source = rig.client.pattern(5000, 1);
    MemoryRegion target = rig.server.memory(5000);
    rig.client.writeImmediate(1, 77, source, 5000, target);
    rig.deliver();
    assertThat(End.bytes(target, 0, 4096)).isEqualTo(End.pattern(4096, 1, 0));
    assertThat(End.bytes(target, 4096, 904)).containsOnly(0);
    rig.server.receive(1, 5);
    rig.network.run(700);
    assertThat(End.bytes(target, 0, 5000)).isEqualTo(End.pattern(5000, 1, 0));
    assertThat(rig.server.poll()).extracting(End.Completion::bytes).containsExactly(5000);
  }

  @Test
  void while_the_sender_waits_a_lost_refusal_is_no_reason_to_stop() {
    rig.timeout = 14;
    rig.connect().shortWaits();
    rig.network.drop(packet -> packet.source().equals(rig.server.address));
    writeMany(rig.client, 1);
    rig.deliver();
    rig.network.dropNothing();
    rig.network.run(100);
    rig.server.receive(1, 0);
    rig.network.run(100);
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(rig.server.poll()).hasSize(1);
  }

  @Test
  void the_packets_behind_a_refused_one_are_not_taken_and_bring_no_complaint() {
    rig.connect();
    rig.server.receive(1, 0);
    MemoryRegion source = rig.client.pattern(64, 1);
    MemoryRegion target = rig.server.memory(64);
    rig.client.writeImmediate(1, 1);
    rig.client.writeImmediate(2, 2);
    rig.client.write(3, source, 64, target);
    rig.deliver();
    assertThat(End.bytes(target, 0, 64)).containsOnly(0);
    assertThat(rig.client.count(SoftCounters.Name.RECEIVED_SEQUENCE_ERROR)).isZero();
    assertThat(rig.server.count(SoftCounters.Name.SEND_RNR_NAK)).isEqualTo(1);
  }
}
