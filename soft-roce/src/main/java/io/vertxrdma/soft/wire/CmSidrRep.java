package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Service id resolution response.
 *
 * <pre>
 * 0 request id | 4 status | 5 information length | 8 QPN (24) | 12 service id | 20 Q_Key
 * 24 additional information (72) | 96 private data (136)
 * </pre>
 *
 * @param requestId the request's number
 * @param status 0 valid queue pair, 1 service id not supported, 2 rejected, 3 no queue pair, 4
 *     redirect, 5 version
 * @param qpn the service's queue pair
 * @param serviceId the request's
 * @param qkey the queue pair's Q_Key
 * @param privateData at most 136 bytes
 */
public record CmSidrRep(
    int requestId, int status, int qpn, long serviceId, int qkey, byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0018;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 136;

  /** {@link #status()}: the queue pair is valid. */
  public static final int STATUS_VALID = 0;

  /** {@link #status()}: nobody offers the service. */
  public static final int STATUS_UNSUPPORTED = 1;

  /** {@link #status()}: the application rejected it. */
  public static final int STATUS_REJECTED = 2;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, requestId);
    data.put(4, (byte) status);
    CmFields.put24(data, 8, qpn);
    data.putLong(12, serviceId);
    data.putInt(20, qkey);
    CmFields.putBytes(data, 96, privateData, PRIVATE_DATA_LENGTH, "private data of a SIDR_REP");
  }

  static CmSidrRep read(ByteBuffer data) {
    return new CmSidrRep(
        data.getInt(0),
        CmFields.u8(data, 4),
        CmFields.u24(data, 8),
        data.getLong(12),
        data.getInt(20),
        CmFields.bytes(data, 96, PRIVATE_DATA_LENGTH));
  }
}
