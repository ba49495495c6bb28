package io.vertxrdma.soft.transport;

import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The unreliable datagram service of a queue pair. A receive gets 40 bytes of GRH area before the
 * payload; for IPv4 its last 20 bytes are the IPv4 header, as far as it is known up here.
 */
final class Datagrams {

  private static final int GRH = 40;
  private static final int IPV4_HEADER = 20;
  private static final int UDP_HEADER = 8;
  private static final int ICRC = 4;
  private static final int PROTOCOL_UDP = 17;
  private static final int HOPS = 64;
  private static final int WITH_GRH = 1;
  private static final int WITH_IMMEDIATE = 2;

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private final ByteBuffer header = ByteBuffer.allocate(GRH);
  private ReceiveRequest spare = new ReceiveRequest();
  private int queueKey;
  private int psn;

  Datagrams(SoftQueuePair queuePair) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
  }

  void activate(int key) {
    queueKey = key;
    psn = engine.allocateStartPsn();
  }

  /** Sends all datagrams posted; each is done as soon as it is on its way. */
  void transmit(SendQueue queue) {
    while (queuePair.isReady() && !queue.isEmpty()) {
      SendRequest request = queue.at(queue.head());
      int status = send(request);
      if (status != Status.SUCCESS) {
        queuePair.failOldest(status);
        return;
      }
      queue.removeHead();
      queuePair.complete(request, Status.SUCCESS);
    }
  }

  private int send(SendRequest request) {
    if (!request.isAllowed(engine.memory(), queuePair.domain)) {
      return Status.LOCAL_PROTECTION;
    }
    ByteBuffer packet =
        engine
            .writer()
            .start(
                request.hasImmediate() ? Opcode.UD_SEND_ONLY_IMM : Opcode.UD_SEND_ONLY,
                request.is(SendFlag.SOLICITED),
                request.remoteQueuePairNumber,
                false,
                psn++);
    Headers.putDeth(packet, request.remoteQueueKey, queuePair.qpn);
    if (request.hasImmediate()) {
      packet.putInt(request.immediate);
    }
    int status =
        request.payload(engine.memory(), queuePair.domain, 0, (int) request.length, packet);
    if (status == Status.SUCCESS) {
      engine.writer().send(request.destination);
    }
    return status;
  }

  void receive(InetAddress source, InboundPacket packet) {
    if (Headers.dethQkey(packet.bytes, packet.header()) != queueKey) {
      engine.counters().increment(SoftCounters.Name.DROP_BAD_QKEY);
      return;
    }
    ReceiveRequest next = queuePair.peekReceive();
    if (next == null) {
      engine.counters().increment(SoftCounters.Name.DROP_NO_RECEIVE);
      return;
    }
    int length = GRH + packet.payloadLength;
    boolean fits = length <= next.memory.total();
    ReceiveRequest receive = queuePair.takeReceive(spare);
    spare = receive;
    int status = fits ? fill(receive, source, packet) : Status.LOCAL_LENGTH;
    if (!fits) {
      engine.counters().increment(SoftCounters.Name.DROP_BAD_LENGTH);
    }
    if (status != Status.SUCCESS) {
      queuePair.receiveQueue.addFailed(receive.workRequestId, status, queuePair.qpn);
      queuePair.breakOff();
      return;
    }
    boolean immediate = packet.hasImmediate();
    queuePair.receiveQueue.add(
        receive.workRequestId,
        Status.SUCCESS,
        WorkCompletionOpcode.RECV,
        length,
        WITH_GRH | (immediate ? WITH_IMMEDIATE : 0),
        immediate ? packet.immediate() : 0,
        queuePair.qpn,
        Headers.dethSourceQpn(packet.bytes, packet.header()));
  }

  private int fill(ReceiveRequest receive, InetAddress source, InboundPacket packet) {
    fillHeader(source, packet);
    int status = scatter(receive, 0, header, 0, GRH);
    return status == Status.SUCCESS
        ? scatter(receive, GRH, packet.bytes, packet.payloadAt, packet.payloadLength)
        : status;
  }

  private int scatter(ReceiveRequest receive, int offset, ByteBuffer source, int at, int length) {
    return receive.memory.scatter(engine.memory(), queuePair.domain, offset, source, at, length);
  }

  private void fillHeader(InetAddress source, InboundPacket packet) {
    byte[] from = source.getAddress();
    byte[] to = engine.link().localAddress().getAddress();
    int udpLength = UDP_HEADER + packet.bytes.limit() - packet.at + ICRC;
    header.clear();
    if (from.length == 4) {
      header.put(new byte[GRH - IPV4_HEADER]);
      header.put((byte) 0x45).put((byte) 0).putShort((short) (IPV4_HEADER + udpLength));
      // Identification 0, don't fragment.
      header.putInt(0x4000).put((byte) HOPS).put((byte) PROTOCOL_UDP).putShort((short) 0);
    } else {
      header.putInt(0x6000_0000).putShort((short) udpLength);
      header.put((byte) PROTOCOL_UDP).put((byte) HOPS);
    }
    header.put(from).put(to);
  }
}
