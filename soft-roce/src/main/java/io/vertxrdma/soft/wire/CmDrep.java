package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Reply to a request to disconnect.
 *
 * <pre>
 * 0 local comm id | 4 remote comm id | 8 private data (224)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param remoteCommId the receiver's number for the connection, 0 if not known
 * @param privateData at most 224 bytes
 */
public record CmDrep(int localCommId, int remoteCommId, byte[] privateData) implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0016;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 224;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putInt(4, remoteCommId);
    CmFields.putBytes(data, 8, privateData, PRIVATE_DATA_LENGTH, "private data of a DREP");
  }

  static CmDrep read(ByteBuffer data) {
    return new CmDrep(data.getInt(0), data.getInt(4), CmFields.bytes(data, 8, PRIVATE_DATA_LENGTH));
  }
}
