package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Reject.
 *
 * <pre>
 * 0 local comm id | 4 remote comm id | 8 message(2) | 9 information length(7) | 10 reason
 * 12 additional reject information (72) | 84 private data (148)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param remoteCommId the receiver's number for the connection, 0 if not known
 * @param message what is rejected: 0 REQ, 1 REP, 2 none or other
 * @param reason enum ib_cm_rej_reason, {@link io.vertxrdma.core.RejectReason}
 * @param information additional reject information, at most 72 bytes; with reason 4 the sender's CA
 *     GUID
 * @param privateData at most 148 bytes
 */
public record CmRej(
    int localCommId,
    int remoteCommId,
    int message,
    int reason,
    byte[] information,
    byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0012;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 148;

  /** Bytes of additional reject information. */
  public static final int INFORMATION_LENGTH = 72;

  /** {@link #message()} when a REQ is rejected. */
  public static final int REJECTS_REQ = 0;

  /** {@link #message()} when a REP is rejected. */
  public static final int REJECTS_REP = 1;

  /** {@link #message()} when no message is rejected. */
  public static final int REJECTS_OTHER = 2;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putInt(4, remoteCommId);
    data.put(8, (byte) (message << 6));
    data.put(9, (byte) (information.length << 1));
    data.putShort(10, (short) reason);
    CmFields.putBytes(data, 12, information, INFORMATION_LENGTH, "information of a REJ");
    CmFields.putBytes(data, 84, privateData, PRIVATE_DATA_LENGTH, "private data of a REJ");
  }

  static CmRej read(ByteBuffer data) {
    return new CmRej(
        data.getInt(0),
        data.getInt(4),
        CmFields.u8(data, 8) >> 6,
        CmFields.u16(data, 10),
        CmFields.bytes(data, 12, Math.min(CmFields.u8(data, 9) >> 1, INFORMATION_LENGTH)),
        CmFields.bytes(data, 84, PRIVATE_DATA_LENGTH));
  }
}
