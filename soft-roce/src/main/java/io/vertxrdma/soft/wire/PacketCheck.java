package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Tells whether the bytes of a packet can be what its opcode says, so that everything behind may
 * read the headers without looking at lengths again. Never throws, knows no connection.
 */
public final class PacketCheck {

  /** What is wrong with a packet. */
  public enum Result {
    /** Nothing: the headers are there, payload and pad agree with the length. */
    OK,
    /** Too short for a BTH or for the headers of its opcode. */
    SHORT,
    /** Transport version is not 0. */
    BAD_VERSION,
    /** An opcode we don't speak. */
    UNKNOWN_OPCODE,
    /** Payload where none belongs, or payload and pad don't end on four bytes. */
    BAD_LENGTH
  }

  /** Header bytes by opcode; 0 for unknown. */
  private static final byte[] HEADERS = new byte[256];

  static {
    int bth = Headers.BTH_LENGTH;
    int immediate = bth + Headers.IMMEDIATE_LENGTH;
    int reth = bth + Headers.RETH_LENGTH;
    int aeth = bth + Headers.AETH_LENGTH;
    int deth = bth + Headers.DETH_LENGTH;
    set(bth, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY);
    set(immediate, Opcode.RC_SEND_LAST_IMM, Opcode.RC_SEND_ONLY_IMM, Opcode.RC_WRITE_LAST_IMM);
    set(bth, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST, Opcode.RC_READ_RESPONSE_MIDDLE);
    set(reth, Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_ONLY, Opcode.RC_READ_REQUEST);
    set(reth + Headers.IMMEDIATE_LENGTH, Opcode.RC_WRITE_ONLY_IMM);
    set(aeth, Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_LAST);
    set(aeth, Opcode.RC_READ_RESPONSE_ONLY, Opcode.RC_ACKNOWLEDGE);
    set(aeth + Headers.ATOMIC_ACK_LENGTH, Opcode.RC_ATOMIC_ACKNOWLEDGE);
    set(bth + Headers.ATOMIC_ETH_LENGTH, Opcode.RC_COMPARE_SWAP, Opcode.RC_FETCH_ADD);
    set(deth, Opcode.UD_SEND_ONLY);
    set(deth + Headers.IMMEDIATE_LENGTH, Opcode.UD_SEND_ONLY_IMM);
  }

  private PacketCheck() {}

  private static void set(int length, int... opcodes) {
    for (int opcode : opcodes) {
      HEADERS[opcode] = (byte) length;
    }
  }

  /** Checks a packet, from position to limit: BTH through pad, without the CRC. */
  public static Result check(ByteBuffer packet) {
    int length = packet.remaining();
    if (length < Headers.BTH_LENGTH) {
      return Result.SHORT;
    }
    int at = packet.position();
    if (Headers.transportVersion(packet, at) != 0) {
      return Result.BAD_VERSION;
    }
    int opcode = Headers.opcode(packet, at);
    int headers = HEADERS[opcode];
    if (headers == 0) {
      return Result.UNKNOWN_OPCODE;
    }
    if (length < headers) {
      return Result.SHORT;
    }
    int padded = length - headers;
    int pad = Headers.pad(packet, at);
    if (!carriesPayload(opcode)) {
      return padded == 0 && pad == 0 ? Result.OK : Result.BAD_LENGTH;
    }
    return padded >= pad && (padded & 3) == 0 ? Result.OK : Result.BAD_LENGTH;
  }

  /** Bytes before the payload, or 0 for an unknown opcode. */
  public static int headerLength(int opcode) {
    return HEADERS[opcode & 0xFF];
  }

  /** Whether packets of the opcode have a payload (of 0 bytes or more). */
  public static boolean carriesPayload(int opcode) {
    return opcode != Opcode.RC_READ_REQUEST
        && (opcode < Opcode.RC_ACKNOWLEDGE || opcode > Opcode.RC_FETCH_ADD);
  }

  /** Payload bytes of a packet that was checked. */
  public static int payloadLength(ByteBuffer packet) {
    int at = packet.position();
    return packet.remaining() - HEADERS[Headers.opcode(packet, at)] - Headers.pad(packet, at);
  }
}
