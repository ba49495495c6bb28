package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Message receipt acknowledged: the answer will take a while.
 *
 * <pre>
 * 0 local comm id | 4 remote comm id | 8 message(2) | 9 service timeout(5) | 10 private data (222)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param remoteCommId the receiver's number for the connection, 0 if not known
 * @param message what is acknowledged: 0 REQ, 1 REP, 2 LAP
 * @param serviceTimeout code 0..31 of the time the answer may take
 * @param privateData at most 222 bytes
 */
public record CmMra(
    int localCommId, int remoteCommId, int message, int serviceTimeout, byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0011;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 222;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putInt(4, remoteCommId);
    data.put(8, (byte) (message << 6));
    data.put(9, (byte) (serviceTimeout << 3));
    CmFields.putBytes(data, 10, privateData, PRIVATE_DATA_LENGTH, "private data of a MRA");
  }

  static CmMra read(ByteBuffer data) {
    return new CmMra(
        data.getInt(0),
        data.getInt(4),
        CmFields.u8(data, 8) >> 6,
        CmFields.u8(data, 9) >> 3,
        CmFields.bytes(data, 10, PRIVATE_DATA_LENGTH));
  }
}
