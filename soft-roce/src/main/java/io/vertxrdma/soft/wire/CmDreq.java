package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Request to disconnect.
 *
 * <pre>
 * 0 local comm id | 4 remote comm id | 8 remote QPN (24) | 12 private data (220)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param remoteCommId the receiver's number for the connection, 0 if not known
 * @param remoteQpn the receiver's queue pair; with another one it ignores the message
 * @param privateData at most 220 bytes
 */
public record CmDreq(int localCommId, int remoteCommId, int remoteQpn, byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0015;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 220;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putInt(4, remoteCommId);
    CmFields.put24(data, 8, remoteQpn);
    CmFields.putBytes(data, 12, privateData, PRIVATE_DATA_LENGTH, "private data of a DREQ");
  }

  static CmDreq read(ByteBuffer data) {
    return new CmDreq(
        data.getInt(0),
        data.getInt(4),
        CmFields.u24(data, 8),
        CmFields.bytes(data, 12, PRIVATE_DATA_LENGTH));
  }
}
