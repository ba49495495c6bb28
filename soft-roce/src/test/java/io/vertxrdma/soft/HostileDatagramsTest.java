package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.cm.CmCensus;
import io.vertxrdma.soft.cm.CmConnection;
import io.vertxrdma.soft.cm.CmOptions;
import io.vertxrdma.soft.io.Intruder;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A flood of hostile datagrams at both ends of a live connection, each put into the link as if the
 * socket had read it: nothing is thrown, nothing grows, and the connection loses nothing.
 *
 * <p>The system property {@value #COUNT_PROPERTY} says how many (default 300,000), {@value
 * #SEED_PROPERTY} which ones.
 */
@Timeout(3600)
class HostileDatagramsTest {

  private static final String COUNT_PROPERTY = "vertx.rdma.soft.hostile.datagrams";
  private static final String SEED_PROPERTY = "vertx.rdma.soft.hostile.seed";
  private static final int DEFAULT_COUNT = 300_000;
  private static final int ROUNDS_BEFORE = 50;
  private static final int MESSAGE = 1000;
  private static final int RECV_RDMA_WITH_IMM = 129;
  private static final int MOST_ACCEPTED = 8;

  /** UdpLink.BACKLOG of both links. */
  private static final int MOST_WAITING = 16 << 20;

  /** So that the backlog gets full between two looks at it. */
  private static final int SELDOM = 64;

  private final WireTap tap = new WireTap();
  private final SoftProviderOptions options =
      new SoftProviderOptions()
          .setUdpPort(Spi.freeUdpPort())
          .setLinkDecorator(tap)
          .setDevice(
              new SoftDeviceOptions(
                  65_536, 16_384, 32, 32_767, 1 << 30, 65_536, 128, 128, 16_384, 256))
          .setConnectionManagement(new CmOptions(4000, 4000, 15, 17, 64, 8));
  private final Spi server = new Spi(new SoftProvider(options));
  private final Spi client = new Spi(new SoftProvider(options));
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<CmId, Spi.Verbs> strangers = new HashMap<>();
  private CmId listener;
  private CmId accepted;
  private CmId asking;
  private Spi.Verbs there;
  private Spi.Verbs here;
  private int sequence;
  private int refused;

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private void connect() {
    listener = server.listen("127.0.0.1");
    asking = client.resolved(PortSpace.TCP, listener.localAddress());
    here = client.verbs(asking);
    asking.connect(Spi.PARAMETERS);
    accepted = server.next(CmEventType.CONNECT_REQUEST).id();
    server.track(accepted);
    there = server.verbs(accepted);
    accepted.accept(Spi.PARAMETERS);
    client.next(CmEventType.ESTABLISHED);
    server.next(CmEventType.ESTABLISHED);
    there.postReceive(0);
    here.postReceive(0);
  }

  /** A message there and one back, with payloads that are checked, and in order. */
  private void roundTrip() {
    write(here, there);
    write(there, here);
  }

  private void write(Spi.Verbs from, Spi.Verbs to) {
    int number = ++sequence;
    String text = text(number);
    from.write(text, to, number);
    received(to, number);
    assertThat(to.text(MESSAGE)).isEqualTo(text);
    to.postReceive(number);
    WorkCompletions written = from.completion();
    assertThat(written.status(0)).as("message %s", number).isZero();
  }

  private static void received(Spi.Verbs to, int number) {
    WorkCompletions completion = to.completion();
    assertThat(completion.status(0)).as("message %s", number).isZero();
    assertThat(completion.opcode(0)).isEqualTo(RECV_RDMA_WITH_IMM);
    assertThat(completion.immediate(0)).as("exactly once and in order").isEqualTo(number);
  }

  private String text(int number) {
    StringBuilder text = new StringBuilder(MESSAGE).append(number).append(' ');
    while (text.length() < MESSAGE) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private SoftDevice device(Spi who, CmId id) {
    return (SoftDevice) who.provider.deviceFor(id.localAddress().getAddress()).orElseThrow();
  }

  private HostileTraffic against(Spi who, CmId id, Spi.Verbs verbs, Spi peer, CmId peerId) {
    SoftDevice device = device(who, id);
    CmConnection victim = device.call(() -> CmCensus.standing(device.agent()));
    SoftDevice other = device(peer, peerId);
    byte[] guid = ByteBuffer.allocate(8).putLong(other.call(() -> other.agent().caGuid())).array();
    Intruder intruder = tap.intruder(device.address());
    return new HostileTraffic(
        intruder,
        victim,
        verbs.queuePair.number(),
        listener.localAddress().getPort(),
        guid,
        tap.received(device.address()),
        new SplittableRandom(Long.getLong(SEED_PROPERTY, 4791)));
  }

  /** Strangers ask for connections: few get one, which they never confirm. */
  private void answerStrangers() {
    CmEvent event;
    while ((event = server.channel.poll()) != null) {
      assertThat(event.id()).as("%s", event).isNotSameAs(accepted);
      if (event.type() == CmEventType.CONNECT_REQUEST) {
        if (strangers.size() < MOST_ACCEPTED && refused % 100 == 0) {
          acceptStranger(event.id());
        } else {
          event.id().close();
        }
        refused++;
      } else {
        assertThat(strangers).as("%s", event).containsKey(event.id());
      }
    }
    assertThat(client.channel.poll()).isNull();
  }

  private void acceptStranger(CmId id) {
    Spi.Verbs verbs = server.verbs(id);
    try {
      id.accept(Spi.PARAMETERS);
      strangers.put(id, verbs);
    } catch (io.vertxrdma.core.RdmaException gone) {
      verbs.close();
      id.close();
    }
  }

  private record Memory(CmCensus census, int objects) {}

  private static Memory memory(SoftDevice device) {
    return device.call(
        () -> new Memory(CmCensus.of(device.agent()), device.engine().objectCount()));
  }

  @Test
  void a_live_connection_beside_a_flood_of_hostile_datagrams_loses_nothing_and_nothing_grows() {
    int count = Integer.getInteger(COUNT_PROPERTY, DEFAULT_COUNT);
    connect();
    for (int i = 0; i < ROUNDS_BEFORE; i++) {
      roundTrip();
    }
    tap.stop();
    SoftDevice serverDevice = device(server, accepted);
    SoftDevice clientDevice = device(client, asking);
    Memory serverBefore = memory(serverDevice);
    Memory clientBefore = memory(clientDevice);
    HostileTraffic atServer = against(server, accepted, there, client, asking);
    HostileTraffic atClient = against(client, asking, here, server, accepted);

    long directBefore = linkMemory();
    long start = System.nanoTime();
    CompletableFuture<Integer> flood =
        CompletableFuture.supplyAsync(
            () -> {
              int sent = 0;
              while (sent < count) {
                sent += atServer.batch() + atClient.batch();
              }
              return sent;
            });
    int before = sequence;
    while (!flood.isDone()) {
      roundTrip();
      if (sequence % SELDOM == 0) {
        answerStrangers();
      }
    }
    int sent = flood.join();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    roundTrip();

    strangers.forEach(
        (id, verbs) -> {
          id.close();
          verbs.close();
        });
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              answerStrangers();
              assertThat(memory(serverDevice)).isEqualTo(serverBefore);
              assertThat(memory(clientDevice)).isEqualTo(clientBefore);
            });
    SoftCounters serverCounters = serverDevice.engine().counters();
    SoftCounters clientCounters = clientDevice.engine().counters();
    System.out.printf(
        "%,d hostile datagrams in %,d ms beside %,d messages; %d requests of strangers were read%n"
            + "at the server %s%nat the client %s%n",
        sent, millis, sequence - before, refused, serverCounters, clientCounters);
    assertThat(sent).isGreaterThanOrEqualTo(count);
    assertThat(sequence - before).as("messages meanwhile").isPositive();
    assertThat(linkMemory() - directBefore)
        .as("bytes of buffers of the links, beyond what may wait for a socket")
        .isLessThan(MOST_WAITING);
    fewAddresses(serverDevice);
    fewAddresses(clientDevice);
    nothingThrown(serverCounters, atServer);
    nothingThrown(clientCounters, atClient);
    everyReason(serverCounters.snapshot());
  }

  private long linkMemory() {
    return tap.intruder(device(server, accepted).address()).linkMemory();
  }

  private void fewAddresses(SoftDevice device) {
    assertThat(tap.intruder(device.address()).rememberedAddresses()).isLessThanOrEqualTo(1024);
  }

  private static void nothingThrown(SoftCounters counters, HostileTraffic traffic) {
    assertThat(counters.get(Name.DROP_OTHER)).isEqualTo(traffic.foreignFamily());
    assertThat(counters.get(Name.COMPLETION_QUEUE_OVERRUN)).isZero();
    assertThat(counters.get(Name.RETRY_EXCEEDED)).isZero();
    assertThat(traffic.unreleased()).as("bytes of datagrams not released").isZero();
  }

  private static void everyReason(Map<Name, Long> counted) {
    assertThat(counted)
        .containsKeys(
            Name.DROP_SHORT,
            Name.DROP_LONG,
            Name.DROP_BAD_ICRC,
            Name.DROP_BAD_VERSION,
            Name.DROP_BAD_PKEY,
            Name.DROP_BAD_QPN,
            Name.DROP_BAD_QKEY,
            Name.DROP_BAD_SOURCE,
            Name.DROP_BAD_OPCODE,
            Name.DROP_BAD_LENGTH,
            Name.DROP_OUT_OF_WINDOW,
            Name.DROP_BAD_MAD,
            Name.DROP_STRANGE_MAD,
            Name.DROP_BACKLOG,
            Name.OUT_OF_SEQUENCE,
            Name.DUPLICATE_REQUEST);
  }
}
