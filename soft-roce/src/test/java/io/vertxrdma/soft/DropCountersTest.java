package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmCensus;
import io.vertxrdma.soft.cm.CmOptions;
import io.vertxrdma.soft.io.Intruder;
import io.vertxrdma.soft.transport.Engine;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmRtu;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason to drop a packet has its counter, which moves by one, and nothing else does. */
@Timeout(60)
class DropCountersTest {

  private static final InetAddress STRANGER = Spi.ip("127.6.6.6");
  private static final int UDP_PORT = 50_000;
  private static final int QUEUE_PAIR_1 = 1;
  private static final int BEYOND_THE_LONGEST = 4352 + 4 + 4;

  private final WireTap tap = new WireTap();
  private final SoftProviderOptions options =
      new SoftProviderOptions()
          .setUdpPort(Spi.freeUdpPort())
          .setLinkDecorator(tap)
          .setConnectionManagement(new CmOptions(60_000, 60_000, 3, 17, 64, 1));
  private final Spi server = new Spi(new SoftProvider(options));
  private final Spi client = new Spi(new SoftProvider(options));
  private CmId listener;
  private CmId asking;
  private Spi.Verbs there;
  private Spi.Verbs here;
  private Spi.Verbs unconnected;
  private Spi.Verbs datagrams;
  private SoftDevice device;
  private Intruder intruder;

  /** All that can be asked about the device. */
  private record Everything(Map<Name, Long> counters, CmCensus census, int objects) {}

  @BeforeEach
  void two_are_connected() {
    listener = server.listen("127.0.0.1");
    asking = client.resolved(PortSpace.TCP, listener.localAddress());
    here = client.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    CmId accepted = server.next(CmEventType.CONNECT_REQUEST).id();
    server.track(accepted);
    there = server.verbs(accepted);
    accepted.accept(Spi.PARAMETERS);
    client.next(CmEventType.ESTABLISHED);
    server.next(CmEventType.ESTABLISHED);
    unconnected = server.verbs(server.resolved(PortSpace.TCP, listener.localAddress()));
    datagrams = server.verbs(server.resolved(PortSpace.UDP, listener.localAddress()));
    device = (SoftDevice) server.provider.deviceFor(Spi.ip("127.0.0.1")).orElseThrow();
    intruder = tap.intruder(device.address());
    // One request of the stranger's waits already, and no more than one may.
    send(STRANGER, management(request(1)));
    server.track(server.next(CmEventType.CONNECT_REQUEST).id());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  static Stream<Name> reasons() {
    return Stream.of(Name.values()).filter(name -> name.name().startsWith("DROP_"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void each_reason_is_counted_and_nothing_else_changes(Name reason) {
    Everything before = everything();

    provoke(reason);
    intruder.deliver();

    Everything after = everything();
    Map<Name, Long> moved = new EnumMap<>(after.counters());
    before.counters().forEach((name, value) -> moved.merge(name, -value, Long::sum));
    moved.values().removeIf(change -> change == 0);
    assertThat(moved).containsExactly(Map.entry(reason, 1L));
    assertThat(after.census()).isEqualTo(before.census());
    assertThat(after.objects()).isEqualTo(before.objects());
    assertThat(server.channel.poll()).isNull();
    theConnectionWorks();
  }

  /** What arrived is counted too, whatever becomes of it. */
  private Everything everything() {
    return device.call(
        () -> {
          Map<Name, Long> counters = new EnumMap<>(device.engine().counters().snapshot());
          counters.remove(Name.RECEIVED_PACKETS);
          counters.remove(Name.RECEIVED_BYTES);
          counters.remove(Name.CM_RECEIVED);
          return new Everything(
              counters, CmCensus.of(device.agent()), device.engine().objectCount());
        });
  }

  private void theConnectionWorks() {
    there.postReceive(1);
    here.write("still here", there, 7);
    WorkCompletions received = there.completion();
    assertThat(received.status(0)).isZero();
    assertThat(received.immediate(0)).isEqualTo(7);
    assertThat(there.text(10)).isEqualTo("still here");
    assertThat(here.completion().status(0)).isZero();
  }

  private void provoke(Name reason) {
    InetAddress peer = asking.localAddress().getAddress();
    int live = there.queuePair.number();
    switch (reason) {
      case DROP_SHORT -> raw(STRANGER, new byte[15]);
      case DROP_LONG -> raw(STRANGER, new byte[BEYOND_THE_LONGEST]);
      case DROP_BAD_ICRC -> raw(peer, new byte[32]);
      case DROP_OTHER -> raw(Spi.ip("::1"), new byte[32]);
      case DROP_BAD_VERSION -> send(peer, acknowledge(live, 0).put(1, (byte) 0x41));
      case DROP_BAD_PKEY -> send(peer, acknowledge(live, 0).putShort(2, (short) 0x8001));
      case DROP_BAD_QPN -> send(peer, acknowledge(live ^ 0x80_0000, 0));
      case DROP_BAD_SOURCE -> send(STRANGER, acknowledge(live, 0));
      case DROP_BAD_OPCODE -> send(peer, acknowledge(live, 0).put(0, (byte) 0x1F));
      case DROP_BAD_LENGTH -> send(peer, acknowledge(live, 4));
      case DROP_OUT_OF_WINDOW -> send(peer, acknowledge(live, 0));
      case DROP_BAD_STATE -> send(peer, acknowledge(unconnected.queuePair.number(), 0));
      case DROP_BAD_QKEY -> send(peer, datagram(datagrams.queuePair.number(), 0x0123_4568));
      case DROP_NO_RECEIVE -> send(peer, datagram(datagrams.queuePair.number(), 0x0123_4567));
      case DROP_BAD_MAD ->
          send(STRANGER, management(new CmRtu(1, 2, new byte[0])).put(20, (byte) 9));
      case DROP_STRANGE_MAD -> send(STRANGER, management(new CmRtu(1, 2, new byte[0])));
      case DROP_BACKLOG -> send(STRANGER, management(request(2)));
      default -> throw new AssertionError("no packet is dropped for " + reason + " here");
    }
  }

  private void raw(InetAddress sender, byte[] bytes) {
    intruder.raw(new InetSocketAddress(sender, UDP_PORT), bytes, bytes.length);
  }

  private void send(InetAddress sender, ByteBuffer packet) {
    intruder.sealed(new InetSocketAddress(sender, UDP_PORT), packet.rewind());
    intruder.deliver();
  }

  /** An ACK of nothing that was sent. */
  private static ByteBuffer acknowledge(int queuePair, int payload) {
    ByteBuffer packet = ByteBuffer.allocate(16 + payload);
    Headers.putBth(packet, Opcode.RC_ACKNOWLEDGE, false, 0, queuePair, false, 0x123456);
    return packet;
  }

  private static ByteBuffer datagram(int queuePair, int queueKey) {
    ByteBuffer packet = ByteBuffer.allocate(64);
    Headers.putBth(packet, Opcode.UD_SEND_ONLY, false, 0, queuePair, false, 0);
    Headers.putDeth(packet, queueKey, QUEUE_PAIR_1);
    return packet;
  }

  private static ByteBuffer management(CmMessage message) {
    return Engine.managementPacket(new Mad(9, message).encode());
  }

  private CmReq request(int number) {
    InetAddress target = listener.localAddress().getAddress();
    return CmReq.builder()
        .localCommId(number)
        .localCaGuid(666)
        .localQpn(0x100 + number)
        .serviceId(ServiceId.of(PortSpace.TCP, listener.localAddress().getPort()))
        .pathMtu(1)
        .localGid(STRANGER)
        .remoteGid(target)
        .privateData(new CmaHeader(1, STRANGER, target).before(new byte[0]))
        .build();
  }
}
