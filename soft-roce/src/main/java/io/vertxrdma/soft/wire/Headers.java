package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Field access to the transport headers of a packet, big-endian, relative to where the header
 * starts. The caller has checked that the bytes are there ({@link PacketCheck}).
 *
 * <pre>
 * BTH    0 opcode | 1 SE, M, pad(2), TVer(4) | 2 P_Key | 4 FECN, BECN | 5 dest QPN (24) | 8 AckReq | 9 PSN (24)
 * DETH   0 Q_Key | 4 reserved | 5 source QPN (24)
 * RETH   0 address | 8 R_Key | 12 length
 * AETH   0 syndrome | 1 MSN (24)
 * ImmDt  0 immediate
 * AtomicETH     0 address | 8 R_Key | 12 swap or add | 20 compare
 * AtomicAckETH  0 original value
 * </pre>
 */
public final class Headers {
  public static final int BTH_LENGTH = 12;
  public static final int DETH_LENGTH = 8;
  public static final int RETH_LENGTH = 16;
  public static final int AETH_LENGTH = 4;
  public static final int IMMEDIATE_LENGTH = 4;
  public static final int ATOMIC_ETH_LENGTH = 28;
  public static final int ATOMIC_ACK_LENGTH = 8;

  /** The default partition key. */
  public static final int DEFAULT_PKEY = 0xFFFF;

  /** Mask of a 24-bit number. */
  public static final int MASK_24 = 0xFF_FFFF;

  private Headers() {}

  /** Writes a BTH at the position and moves behind it. */
  public static void putBth(
      ByteBuffer packet,
      int opcode,
      boolean solicited,
      int pad,
      int destinationQpn,
      boolean acknowledgeRequest,
      int psn) {
    packet.put((byte) opcode);
    packet.put((byte) ((solicited ? 0x80 : 0) | 0x40 | pad << 4));
    packet.putShort((short) DEFAULT_PKEY);
    packet.putInt(destinationQpn & MASK_24);
    packet.putInt((acknowledgeRequest ? 0x8000_0000 : 0) | psn & MASK_24);
  }

  public static int opcode(ByteBuffer packet, int at) {
    return packet.get(at) & 0xFF;
  }

  public static boolean solicited(ByteBuffer packet, int at) {
    return (packet.get(at + 1) & 0x80) != 0;
  }

  public static int pad(ByteBuffer packet, int at) {
    return packet.get(at + 1) >> 4 & 3;
  }

  public static int transportVersion(ByteBuffer packet, int at) {
    return packet.get(at + 1) & 0x0F;
  }

  public static int pkey(ByteBuffer packet, int at) {
    return packet.getShort(at + 2) & 0xFFFF;
  }

  public static int destinationQpn(ByteBuffer packet, int at) {
    return packet.getInt(at + 4) & MASK_24;
  }

  public static boolean acknowledgeRequest(ByteBuffer packet, int at) {
    return packet.get(at + 8) < 0;
  }

  public static int psn(ByteBuffer packet, int at) {
    return packet.getInt(at + 8) & MASK_24;
  }

  /** Writes a DETH at the position and moves behind it. */
  public static void putDeth(ByteBuffer packet, int qkey, int sourceQpn) {
    packet.putInt(qkey);
    packet.putInt(sourceQpn & MASK_24);
  }

  /** Writes a RETH at the position and moves behind it. */
  public static void putReth(ByteBuffer packet, long address, int rkey, int length) {
    packet.putLong(address);
    packet.putInt(rkey);
    packet.putInt(length);
  }

  /** Writes an AETH at the position and moves behind it; for the syndrome see {@link Aeth}. */
  public static void putAeth(ByteBuffer packet, int syndrome, int msn) {
    packet.putInt(syndrome << 24 | msn & MASK_24);
  }

  /** Writes an AtomicETH at the position and moves behind it. */
  public static void putAtomicEth(
      ByteBuffer packet, long address, int rkey, long swapOrAdd, long compare) {
    packet.putLong(address);
    packet.putInt(rkey);
    packet.putLong(swapOrAdd);
    packet.putLong(compare);
  }

  public static int dethQkey(ByteBuffer packet, int at) {
    return packet.getInt(at);
  }

  public static int dethSourceQpn(ByteBuffer packet, int at) {
    return packet.getInt(at + 4) & MASK_24;
  }

  public static long rethAddress(ByteBuffer packet, int at) {
    return packet.getLong(at);
  }

  public static int rethRkey(ByteBuffer packet, int at) {
    return packet.getInt(at + 8);
  }

  /** Length of the whole message, unsigned 32 bits. */
  public static long rethLength(ByteBuffer packet, int at) {
    return packet.getInt(at + 12) & 0xFFFF_FFFFL;
  }

  public static int aethSyndrome(ByteBuffer packet, int at) {
    return packet.get(at) & 0xFF;
  }

  public static int aethMsn(ByteBuffer packet, int at) {
    return packet.getInt(at) & MASK_24;
  }

  /** The immediate as on the wire, read as a big-endian number. */
  public static int immediate(ByteBuffer packet, int at) {
    return packet.getInt(at);
  }

  public static long atomicAddress(ByteBuffer packet, int at) {
    return packet.getLong(at);
  }

  public static int atomicRkey(ByteBuffer packet, int at) {
    return packet.getInt(at + 8);
  }

  /** What to swap in or to add. */
  public static long atomicSwapOrAdd(ByteBuffer packet, int at) {
    return packet.getLong(at + 12);
  }

  public static long atomicCompare(ByteBuffer packet, int at) {
    return packet.getLong(at + 20);
  }

  /** What was in memory before the atomic operation. */
  public static long atomicAckOriginal(ByteBuffer packet, int at) {
    return packet.getLong(at);
  }
}
