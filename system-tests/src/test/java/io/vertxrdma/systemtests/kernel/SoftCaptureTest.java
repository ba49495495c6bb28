package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.soft.io.PacketCapture;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads what two soft endpoints say to each other with tshark: nothing malformed, and every packet
 * as posted. What is read is a {@link PacketCapture}, which needs no rights and has no gaps; that
 * it shows what really leaves the socket is checked against a capture of the loopback interface.
 */
@Timeout(600)
class SoftCaptureTest {

  private static final int MTU = 256;
  private static final int WRITE = 2 * MTU + 100;
  private static final int READ = 2 * MTU + 8;
  private static final int SUCCESS = 0;
  private static final int REMOTE_ACCESS = 10;
  private static final int ETHERNET = 14;
  private static final int RECORDS = 24;
  private static final int RECORD_HEADER = 16;

  @TempDir private Path folder;
  private Path written;
  private int udpPort;
  private int serverKey;
  private long serverAddress;
  private String request;
  private String reply;

  @BeforeEach
  void places() throws Exception {
    written = folder.resolve("written.pcap");
    try (DatagramSocket any = new DatagramSocket(null)) {
      // Not 4791: in the guest that belongs to the kernel's driver.
      any.bind(new InetSocketAddress(0));
      udpPort = any.getLocalPort();
    }
  }

  /** One connection with an operation of each kind, each waited for before the next. */
  private void talk() throws Exception {
    try (PacketCapture capture = PacketCapture.open(written, udpPort)) {
      SoftProviderOptions options =
          new SoftProviderOptions()
              .setUdpPort(udpPort)
              .setDevice(smallPackets())
              .setLinkDecorator(capture.decorator());
      try (SoftSession session =
          new SoftSession(new SoftProvider(options), new SoftProvider(options))) {
        session.connect("request".getBytes(), "reply".getBytes());
        SoftSession.End client = session.client;
        SoftSession.End server = session.server;
        serverKey = server.memory.remoteKey();
        serverAddress = server.memory.address();
        client.fill(SoftSession.SIZE);

        server.postReceive(1, 100);
        assertThat(client.execute(SendOpcode.SEND, 0, 50, server, 0)).isEqualTo(SUCCESS);
        assertThat(server.status()).isEqualTo(SUCCESS);
        server.postReceive(2, 100);
        assertThat(client.execute(SendOpcode.SEND_WITH_IMM, 0x01020304, 8, server, 0)).isZero();
        assertThat(server.status()).isEqualTo(SUCCESS);
        server.postReceive(3, 0);
        assertThat(
                client.execute(
                    SendOpcode.RDMA_WRITE_WITH_IMM, 0xDEADBEEF, WRITE, server, serverKey))
            .isEqualTo(SUCCESS);
        assertThat(server.status()).isEqualTo(SUCCESS);
        assertThat(server.bytes(WRITE)).isEqualTo(client.bytes(WRITE));
        server.postReceive(4, 0);
        assertThat(client.execute(SendOpcode.RDMA_WRITE_WITH_IMM, 7, 0, server, serverKey))
            .isZero();
        assertThat(server.status()).isEqualTo(SUCCESS);
        assertThat(client.execute(SendOpcode.RDMA_READ, 0, READ, server, serverKey)).isZero();
        assertThat(
                client.execute(
                    SendOpcode.ATOMIC_CMP_AND_SWP, 0, 8, server, serverKey, 0x1111, 0x2222))
            .isEqualTo(SUCCESS);
        assertThat(
                client.execute(SendOpcode.ATOMIC_FETCH_AND_ADD, 0, 8, server, serverKey, 0x33, 0))
            .isEqualTo(SUCCESS);
        assertThat(client.execute(SendOpcode.RDMA_WRITE, 0, 5, server, serverKey ^ 1))
            .isEqualTo(REMOTE_ACCESS);
        session.disconnect();
        session.lookUpNobody();
      }
    }
  }

  private static SoftDeviceOptions smallPackets() {
    SoftDeviceOptions usual = SoftDeviceOptions.DEFAULT;
    return new SoftDeviceOptions(
        usual.maxQueuePairs(),
        usual.maxQueuePairWorkRequests(),
        usual.maxScatterGather(),
        usual.maxCompletionQueueEntries(),
        usual.maxMemoryRegionSize(),
        usual.maxMemoryRegions(),
        usual.maxResponderResources(),
        usual.maxInitiatorDepth(),
        usual.maxSharedReceiveQueueWorkRequests(),
        MTU);
  }

  @Test
  void tshark_reads_every_packet_as_it_was_posted() throws Exception {
    talk();

    assertThat(tshark("-Y", "_ws.malformed || _ws.expert.severity == error")).isEmpty();
    assertThat(fields("ip.id", "ip.flags.df", "ip.checksum.status", "udp.checksum.status"))
        .as("identification 0, don't fragment, both checksums good")
        .isNotEmpty()
        .containsOnly(List.of("0x0000", "1", "1", "1"));
    List<List<String>> management =
        fields("infiniband.mad.attributeid", "infiniband.bth.opcode", "infiniband.bth.destqp");
    management.removeIf(packet -> packet.get(0).isEmpty());
    assertThat(management)
        .as("REQ, REP, RTU, DREQ, DREP, SIDR_REQ, SIDR_REP, all to queue pair 1")
        .extracting(packet -> packet.get(0))
        .containsExactly("0x0010", "0x0013", "0x0014", "0x0015", "0x0016", "0x0017", "0x0018");
    assertThat(management)
        .allMatch(packet -> packet.subList(1, 3).equals(List.of("100", "0x000001")));
    assertThat(tshark("-V", "-Y", "infiniband.mad.attributeid == 0x0010"))
        .as("the private data of the request")
        .anyMatch(line -> line.replace(":", "").contains(hex("request")));

    List<List<String>> packets = new ArrayList<>();
    for (List<String> packet :
        fields(
            "ip.src",
            "infiniband.bth.opcode",
            "infiniband.bth.psn",
            "infiniband.reth.va",
            "infiniband.reth.r_key",
            "infiniband.reth.dmalen",
            "infiniband.immdt",
            "infiniband.aeth.syndrome")) {
      if (!packet.get(1).equals("100")) {
        packets.add(packet);
      }
    }
    checkConversation(packets);
    List<List<String>> atomics =
        fields("infiniband.atomiceth.swapdt", "infiniband.atomiceth.cmpdt");
    atomics.removeIf(packet -> packet.get(0).isEmpty());
    assertThat(atomics.stream().map(packet -> packet.stream().map(Long::decode).toList()))
        .containsExactly(List.of(0x2222L, 0x1111L), List.of(0x33L, 0L));
  }

  /** Source and sequence number follow from what was posted; so does everything else. */
  private void checkConversation(List<List<String>> packets) {
    request = packets.get(0).get(0);
    reply = "127.0.0.1";
    int psn = Integer.decode(packets.get(0).get(2));
    List<List<String>> expected = new ArrayList<>();
    expected.add(sent(4, psn));
    expected.add(acknowledged(psn));
    expected.add(with(sent(5, psn + 1), 6, "01020304"));
    expected.add(acknowledged(psn + 1));
    expected.add(toMemory(6, psn + 2, serverKey, WRITE));
    expected.add(sent(7, psn + 3));
    expected.add(with(sent(9, psn + 4), 6, "deadbeef"));
    expected.add(acknowledged(psn + 4));
    expected.add(with(toMemory(11, psn + 5, serverKey, 0), 6, "00000007"));
    expected.add(acknowledged(psn + 5));
    expected.add(toMemory(12, psn + 6, serverKey, READ));
    expected.add(answer(13, psn + 6, "31"));
    expected.add(answer(14, psn + 7, ""));
    expected.add(answer(15, psn + 8, "31"));
    expected.add(atomic(19, psn + 9));
    expected.add(answer(18, psn + 9, "31"));
    expected.add(atomic(20, psn + 10));
    expected.add(answer(18, psn + 10, "31"));
    expected.add(toMemory(10, psn + 11, serverKey ^ 1, 5));
    expected.add(answer(17, psn + 11, String.valueOf(0x62)));
    assertThat(packets).isEqualTo(expected);
  }

  private List<String> packet(String source, int opcode, int psn) {
    List<String> fields = new ArrayList<>(List.of(source, String.valueOf(opcode)));
    fields.add(String.valueOf(psn & 0xFFFFFF));
    fields.addAll(List.of("", "", "", "", ""));
    return fields;
  }

  private List<String> sent(int opcode, int psn) {
    return packet(request, opcode, psn);
  }

  private static List<String> with(List<String> packet, int field, String value) {
    packet.set(field, value);
    return packet;
  }

  private List<String> toMemory(int opcode, int psn, int key, int length) {
    List<String> packet = with(sent(opcode, psn), 3, "0x%016x".formatted(serverAddress));
    return with(with(packet, 4, "0x%08x".formatted(key)), 5, String.valueOf(length));
  }

  /** tshark shows the address and key of an atomic as those of an RETH. */
  private List<String> atomic(int opcode, int psn) {
    return with(toMemory(opcode, psn, serverKey, 0), 5, "");
  }

  private List<String> acknowledged(int psn) {
    return answer(17, psn, "31");
  }

  private List<String> answer(int opcode, int psn, String syndrome) {
    return with(packet(reply, opcode, psn), 7, syndrome);
  }

  private static String hex(String text) {
    StringBuilder hex = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.US_ASCII)) {
      hex.append("%02x".formatted(each));
    }
    return hex.toString();
  }

  @Test
  void the_capture_has_exactly_the_bytes_that_leave_the_socket() throws Exception {
    Path seen = folder.resolve("seen.pcap");
    Path errors = folder.resolve("tcpdump.log");
    Process tcpdump =
        new ProcessBuilder(
                "tcpdump",
                "-i",
                "lo",
                "-U",
                "-s",
                "0",
                "-w",
                seen.toString(),
                "udp src port " + udpPort + " and dst port " + udpPort)
            .redirectErrorStream(true)
            .redirectOutput(errors.toFile())
            .start();
    try {
      Awaitility.await("tcpdump listens")
          .atMost(Command.TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .until(() -> Files.readString(errors).contains("listening on"));
      talk();
      List<byte[]> ours = packets(written, 0);
      Awaitility.await("tcpdump has everything")
          .atMost(Command.TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .until(() -> packets(seen, ETHERNET).size() >= ours.size());
      assertThat(ours).hasSizeGreaterThan(20);
      // Whose turn it was between two that didn't wait for each other may differ.
      assertThat(texts(packets(seen, ETHERNET))).containsExactlyInAnyOrderElementsOf(texts(ours));
    } finally {
      tcpdump.destroy();
      tcpdump.waitFor();
    }
  }

  /** The whole packets of a capture, each from its IP header on. */
  private static List<byte[]> packets(Path file, int linkHeader) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    List<byte[]> found = new ArrayList<>();
    if (bytes.length < RECORDS) {
      return found;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int magic = buffer.getInt(0);
    boolean swapped = magic == 0xD4C3B2A1 || magic == 0x4D3CB2A1;
    buffer.order(swapped ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int at = RECORDS;
    while (at + RECORD_HEADER <= bytes.length) {
      int length = buffer.getInt(at + 8);
      int start = at + RECORD_HEADER + linkHeader;
      at += RECORD_HEADER + length;
      if (at > bytes.length) {
        break;
      }
      found.add(Arrays.copyOfRange(bytes, start, at));
    }
    return found;
  }

  /** In hex, without the UDP checksum, which loopback leaves to a device that isn't there. */
  private static List<String> texts(List<byte[]> packets) {
    List<String> texts = new ArrayList<>();
    for (byte[] packet : packets) {
      byte[] masked = packet.clone();
      masked[26] = 0;
      masked[27] = 0;
      StringBuilder text = new StringBuilder();
      for (byte each : masked) {
        text.append("%02x".formatted(each));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private List<List<String>> fields(String... names) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-T", "fields", "-E", "separator=|", "-E", "occurrence=f"));
    for (String name : names) {
      arguments.addAll(List.of("-e", name));
    }
    List<List<String>> found = new ArrayList<>();
    for (String line : tshark(arguments.toArray(String[]::new))) {
      found.add(new ArrayList<>(Arrays.asList(line.split("\\|", -1))));
    }
    return found;
  }

  /** What tshark prints of the capture. */
  private List<String> tshark(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "tshark",
                "-n",
                "-r",
                written.toString(),
                "-d",
                "udp.port==" + udpPort + ",infiniband",
                "-o",
                "ip.check_checksum:TRUE",
                "-o",
                "udp.check_checksum:TRUE"));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("tshark.log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, Files.readString(errors)).isZero();
    return text.lines().toList();
  }
}
