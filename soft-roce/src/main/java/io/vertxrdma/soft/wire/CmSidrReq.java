package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Service id resolution request: asks for the queue pair of a datagram service.
 *
 * <pre>
 * 0 request id | 4 P_Key | 8 service id | 16 private data (216)
 * </pre>
 *
 * @param requestId the sender's number for the request
 * @param pkey partition key
 * @param serviceId {@link ServiceId}
 * @param privateData at most 216 bytes
 */
public record CmSidrReq(int requestId, int pkey, long serviceId, byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0017;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 216;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, requestId);
    data.putShort(4, (short) pkey);
    data.putLong(8, serviceId);
    CmFields.putBytes(data, 16, privateData, PRIVATE_DATA_LENGTH, "private data of a SIDR_REQ");
  }

  static CmSidrReq read(ByteBuffer data) {
    return new CmSidrReq(
        data.getInt(0),
        CmFields.u16(data, 4),
        data.getLong(8),
        CmFields.bytes(data, 16, PRIVATE_DATA_LENGTH));
  }
}
