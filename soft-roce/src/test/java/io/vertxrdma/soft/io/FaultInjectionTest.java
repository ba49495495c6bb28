package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultInjectionTest {

  private final InetAddress peer = InetAddress.getLoopbackAddress();
  private final ManualTimers timers = new ManualTimers();
  private final Wire wire = new Wire();

  /** Remembers the numbers of the packets, damaged ones as negative. */
  private static final class Wire implements CorruptibleLink {
    private final List<Integer> sent = new ArrayList<>();
    private int flushes;
    private boolean closed;

    @Override
    public InetAddress localAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public int maxPathMtu() {
      return 2048;
    }

    @Override
    public void setReceiver(Receiver receiver) {}

    @Override
    public void send(InetAddress destination, ByteBuffer packet) {
      sent.add(packet.getInt(packet.position()));
    }

    @Override
    public void sendCorrupted(InetAddress destination, ByteBuffer packet, int bit) {
      sent.add(-packet.getInt(packet.position()));
    }

    @Override
    public void flush() {
      flushes++;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private FaultInjection link(Faults faults, long seed) {
    return new FaultInjection(wire, timers, seed, faults);
  }

  private void send(Link link, int from, int to) {
    ByteBuffer packet = ByteBuffer.allocate(16);
    for (int i = from; i <= to; i++) {
      link.send(peer, packet.putInt(0, i));
    }
  }

  private static List<Integer> numbers(int to) {
    return IntStream.rangeClosed(1, to).boxed().toList();
  }

  @Test
  void without_faults_packets_go_through_as_they_are() {
    FaultInjection link = link(Faults.NONE, 1);
    send(link, 1, 100);
    link.flush();
    assertThat(wire.sent).isEqualTo(numbers(100));
    assertThat(wire.flushes).isEqualTo(1);
    assertThat(link.injected()).isEqualTo(new FaultInjection.Injected(0, 0, 0, 0, 0));
    assertThat(link.maxPathMtu()).isEqualTo(2048);
  }

  @Test
  void dropped_packets_are_missing_and_counted_and_the_rest_is_in_order() {
    FaultInjection link = link(Faults.dropping(0.3), 1);
    send(link, 1, 1000);
    long dropped = link.injected().dropped();
    assertThat(dropped).isBetween(200L, 400L);
    assertThat(wire.sent).hasSize((int) (1000 - dropped)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void duplicates_come_twice() {
    FaultInjection link = link(new Faults(0, 1, 0, 0, 0, 0), 1);
    send(link, 1, 3);
    assertThat(wire.sent).containsExactly(1, 1, 2, 2, 3, 3);
    assertThat(link.injected().duplicated()).isEqualTo(3);
  }

  @Test
  void corrupted_packets_are_damaged_behind_the_crc() {
    FaultInjection link = link(new Faults(0, 0, 0, 1, 0, 0), 1);
    send(link, 1, 3);
    assertThat(wire.sent).containsExactly(-1, -2, -3);
    assertThat(link.injected().corrupted()).isEqualTo(3);
  }

  @Test
  void reordered_packets_are_overtaken_by_up_to_three_and_none_is_lost() {
    FaultInjection link = link(new Faults(0, 0, 0.2, 0, 0, 0), 1);
    send(link, 1, 1000);
    assertThat(link.injected().reordered()).isPositive();
    timers.advance(10_000_000);
    assertThat(wire.sent)
        .isNotEqualTo(numbers(1000))
        .containsExactlyInAnyOrderElementsOf(numbers(1000));
  }

  @Test
  void a_packet_held_back_with_none_behind_it_goes_out_by_time() {
    FaultInjection link = link(new Faults(0, 0, 1, 0, 0, 0), 1);
    send(link, 1, 1);
    assertThat(wire.sent).isEmpty();
    timers.advance(10_000_000);
    assertThat(wire.sent).containsExactly(1);
    assertThat(wire.flushes).isEqualTo(1);
  }

  @Test
  void delayed_packets_come_within_the_time_and_keep_their_bytes() {
    FaultInjection link = link(new Faults(0, 0, 0, 0, 1, 1_000_000), 1);
    send(link, 1, 50);
    assertThat(wire.sent).isEmpty();
    timers.advance(1_000_000);
    assertThat(wire.sent).containsExactlyInAnyOrderElementsOf(numbers(50));
    assertThat(link.injected().delayed()).isEqualTo(50);
  }

  @Test
  void the_same_seed_does_the_same() {
    List<List<Integer>> runs = new ArrayList<>();
    for (long seed : new long[] {42, 42, 43}) {
      wire.sent.clear();
      send(link(Faults.everything(0.2), seed), 1, 300);
      timers.advance(100_000_000);
      runs.add(List.copyOf(wire.sent));
    }
    assertThat(runs.get(1)).isEqualTo(runs.get(0));
    assertThat(runs.get(2)).isNotEqualTo(runs.get(0));
  }

  @Test
  void faults_switch_while_running() {
    FaultInjection link = link(Faults.dropping(1), 1);
    send(link, 1, 5);
    link.setFaults(Faults.NONE);
    send(link, 6, 7);
    assertThat(wire.sent).containsExactly(6, 7);
  }

  @Test
  void a_filter_loses_exactly_what_it_refuses() {
    FaultInjection link = link(Faults.NONE, 1);
    link.setFilter((destination, packet) -> packet.getInt(0) != 3);
    send(link, 1, 5);
    assertThat(wire.sent).containsExactly(1, 2, 4, 5);
    assertThat(link.injected().dropped()).isEqualTo(1);
  }

  @Test
  void after_close_nothing_late_comes() {
    FaultInjection link = link(new Faults(0, 0, 0.5, 0, 0.5, 1_000_000), 1);
    send(link, 1, 50);
    wire.sent.clear();
    link.close();
    timers.advance(100_000_000);
    send(link, 51, 60);
    assertThat(wire.sent).isEmpty();
    assertThat(wire.closed).isTrue();
  }

  @Test
  void what_is_no_probability_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Faults.dropping(1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> Faults.dropping(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> new Faults(0, 0, 0, 0, 0, -1));
  }
}
