package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.PacketCheck;
import java.nio.ByteBuffer;

/** The packet being handled: its fields, read once, and where its payload lies. One per device. */
final class InboundPacket {

  ByteBuffer bytes;
  int at;
  int opcode;
  int destinationQpn;
  int psn;
  boolean acknowledgeRequest;
  int pad;
  int payloadAt;
  int payloadLength;

  /** Takes a packet that {@link PacketCheck} found to be in order. */
  void load(ByteBuffer packet) {
    bytes = packet;
    at = packet.position();
    opcode = Headers.opcode(packet, at);
    destinationQpn = Headers.destinationQpn(packet, at);
    psn = Headers.psn(packet, at);
    acknowledgeRequest = Headers.acknowledgeRequest(packet, at);
    pad = Headers.pad(packet, at);
    payloadAt = at + PacketCheck.headerLength(opcode);
    payloadLength = PacketCheck.payloadLength(packet);
  }

  /** Where the header behind the BTH begins. */
  int header() {
    return at + Headers.BTH_LENGTH;
  }

  boolean hasImmediate() {
    return switch (opcode) {
      case Opcode.RC_SEND_LAST_IMM,
              Opcode.RC_SEND_ONLY_IMM,
              Opcode.RC_WRITE_LAST_IMM,
              Opcode.RC_WRITE_ONLY_IMM,
              Opcode.UD_SEND_ONLY_IMM ->
          true;
      default -> false;
    };
  }

  /** The immediate, always the last header. */
  int immediate() {
    return Headers.immediate(bytes, payloadAt - Headers.IMMEDIATE_LENGTH);
  }

  /** Whether it starts a message. */
  boolean isStart() {
    return switch (opcode) {
      case Opcode.RC_SEND_FIRST,
              Opcode.RC_SEND_ONLY,
              Opcode.RC_SEND_ONLY_IMM,
              Opcode.RC_WRITE_FIRST,
              Opcode.RC_WRITE_ONLY,
              Opcode.RC_WRITE_ONLY_IMM ->
          true;
      default -> false;
    };
  }

  /** Whether it ends a message. */
  boolean isEnd() {
    return switch (opcode) {
      case Opcode.RC_SEND_LAST,
              Opcode.RC_SEND_LAST_IMM,
              Opcode.RC_SEND_ONLY,
              Opcode.RC_SEND_ONLY_IMM,
              Opcode.RC_WRITE_LAST,
              Opcode.RC_WRITE_LAST_IMM,
              Opcode.RC_WRITE_ONLY,
              Opcode.RC_WRITE_ONLY_IMM ->
          true;
      default -> false;
    };
  }

  boolean isSend() {
    return opcode <= Opcode.RC_SEND_ONLY_IMM;
  }

  boolean isWrite() {
    return opcode >= Opcode.RC_WRITE_FIRST && opcode <= Opcode.RC_WRITE_ONLY_IMM;
  }

  boolean isAtomic() {
    return opcode == Opcode.RC_COMPARE_SWAP || opcode == Opcode.RC_FETCH_ADD;
  }

  /** Whether it is an answer: it belongs to the requester. */
  boolean isResponse() {
    return opcode >= Opcode.RC_READ_RESPONSE_FIRST && opcode <= Opcode.RC_ATOMIC_ACKNOWLEDGE;
  }

  boolean isDatagram() {
    return opcode == Opcode.UD_SEND_ONLY || opcode == Opcode.UD_SEND_ONLY_IMM;
  }
}
