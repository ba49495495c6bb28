package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An immediate is an unsigned 32-bit value and arrives as it was sent. */
class I3_ImmediateValuesContractTest {

  private static final List<Long> VALUES =
      List.of(
          0xDEAD_BEEFL,
          0x0000_0001L,
          0x8000_0000L,
          0xFFFF_FFFFL,
          0x7FFF_FFFFL,
          0x0102_0304L,
          0x0000_0000L);

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void every_value_arrives_as_sent_and_is_never_negative_in_both_directions() {
    ContractRig.Pair pair = rig.pair();
    assertArriveAsSent(pair.client(), pair.server());
    assertArriveAsSent(pair.server(), pair.client());
  }

  private void assertArriveAsSent(RdmaConnection from, RdmaConnection to) {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(to, Long.MAX_VALUE);
    VALUES.forEach(value -> rig.await(from.writeImmediate(value)));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == VALUES.size());
    assertThat(Traffic.values(subscriber)).isEqualTo(VALUES);
    assertThat(subscriber.values())
        .allMatch(immediate -> immediate.value() >= 0 && immediate.value() <= 4294967295L)
        .allMatch(immediate -> immediate.intValue() == (int) immediate.value());
  }

  @Test
  void the_immediate_handler_gets_the_same_32_bits() {
    ContractRig.Pair pair = rig.pair();
    List<Integer> seen = new CopyOnWriteArrayList<>();
    pair.server().immediateHandler((connection, immediate, bytes) -> seen.add(immediate));
    VALUES.forEach(value -> rig.await(pair.client().writeImmediate(value)));
    Traffic.eventually("all arrive", () -> seen.size() == VALUES.size());
    assertThat(seen).isEqualTo(VALUES.stream().map(Long::intValue).toList());
  }

  @Test
  void a_value_that_is_no_unsigned_32_bit_number_is_refused_and_the_connection_goes_on() {
    ContractRig.Pair pair = rig.pair();
    for (long wrong : new long[] {-1, 0x1_0000_0000L, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> pair.client().writeImmediate(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("4294967295")
          .hasMessageContaining(Long.toString(wrong));
    }
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), Long.MAX_VALUE);
    rig.await(pair.client().writeImmediate(7));
    Traffic.eventually("the next arrives", () -> subscriber.values().size() == 1);
    assertThat(Traffic.values(subscriber)).containsExactly(7L);
  }
}
