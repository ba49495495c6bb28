package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * A management datagram of the connection manager: header and message, 256 bytes.
 *
 * <pre>
 *  0 base version 1 | 1 class 7 | 2 class version 2 | 3 method 3 (Send) | 4 status | 6 class specific
 *  8 transaction id | 16 attribute id | 18 reserved | 20 attribute modifier | 24 data (232)
 * </pre>
 *
 * @param transactionId a REP, RTU, MRA or REJ repeats the REQ's, a DREP the DREQ's; messages are
 *     matched by comm ids nevertheless
 * @param message what is in it
 */
public record Mad(long transactionId, CmMessage message) {

  /** Bytes of a MAD. */
  public static final int LENGTH = 256;

  private static final int HEADER_LENGTH = 24;
  private static final int BASE_VERSION = 1;
  private static final int CLASS_CM = 7;
  private static final int CLASS_VERSION = 2;
  private static final int METHOD_SEND = 3;

  /** Why bytes are no message for us. */
  public enum Problem {
    /** They are one. */
    NONE,
    /** Not 256 bytes. */
    LENGTH,
    /** Unknown base version. */
    BASE_VERSION,
    /** Of another management class. */
    MANAGEMENT_CLASS,
    /** Unknown version of the class. */
    CLASS_VERSION,
    /** Not the method Send. */
    METHOD,
    /** A message we don't know, alternate path messages among them. */
    ATTRIBUTE
  }

  /**
   * What became of bytes.
   *
   * @param mad the datagram, or null
   * @param problem why it is null, {@link Problem#NONE} if it isn't
   */
  public record Decoded(Mad mad, Problem problem) {}

  /** Writes the 256 bytes at the buffer's position and moves behind them. */
  public void encode(ByteBuffer to) {
    ByteBuffer bytes = to.slice(to.position(), LENGTH);
    for (int at = 0; at < LENGTH; at += 8) {
      bytes.putLong(at, 0);
    }
    bytes.put(0, (byte) BASE_VERSION);
    bytes.put(1, (byte) CLASS_CM);
    bytes.put(2, (byte) CLASS_VERSION);
    bytes.put(3, (byte) METHOD_SEND);
    bytes.putLong(8, transactionId);
    bytes.putShort(16, (short) message.attributeId());
    message.write(bytes.slice(HEADER_LENGTH, CmMessage.DATA_LENGTH));
    to.position(to.position() + LENGTH);
  }

  /** The 256 bytes in a buffer of their own. */
  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(LENGTH);
    encode(to);
    return to.flip();
  }

  /** Reads from position to limit, which stay; never throws. */
  public static Decoded decode(ByteBuffer from) {
    if (from.remaining() != LENGTH) {
      return new Decoded(null, Problem.LENGTH);
    }
    ByteBuffer bytes = from.slice();
    Problem problem = checkHeader(bytes);
    if (problem != Problem.NONE) {
      return new Decoded(null, problem);
    }
    ByteBuffer data = bytes.slice(HEADER_LENGTH, CmMessage.DATA_LENGTH);
    CmMessage message =
        switch (CmFields.u16(bytes, 16)) {
          case CmReq.ATTRIBUTE_ID -> CmReq.read(data);
          case CmMra.ATTRIBUTE_ID -> CmMra.read(data);
          case CmRej.ATTRIBUTE_ID -> CmRej.read(data);
          case CmRep.ATTRIBUTE_ID -> CmRep.read(data);
          case CmRtu.ATTRIBUTE_ID -> CmRtu.read(data);
          case CmDreq.ATTRIBUTE_ID -> CmDreq.read(data);
          case CmDrep.ATTRIBUTE_ID -> CmDrep.read(data);
          case CmSidrReq.ATTRIBUTE_ID -> CmSidrReq.read(data);
          case CmSidrRep.ATTRIBUTE_ID -> CmSidrRep.read(data);
          default -> null;
        };
    return message == null
        ? new Decoded(null, Problem.ATTRIBUTE)
        : new Decoded(new Mad(bytes.getLong(8), message), Problem.NONE);
  }

  private static Problem checkHeader(ByteBuffer bytes) {
    if (bytes.get(0) != BASE_VERSION) {
      return Problem.BASE_VERSION;
    }
    if (bytes.get(1) != CLASS_CM) {
      return Problem.MANAGEMENT_CLASS;
    }
    if (bytes.get(2) != CLASS_VERSION) {
      return Problem.CLASS_VERSION;
    }
    return bytes.get(3) == METHOD_SEND ? Problem.NONE : Problem.METHOD;
  }
}
