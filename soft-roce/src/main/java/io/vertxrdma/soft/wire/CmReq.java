package io.vertxrdma.soft.wire;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Request for communication. Made with {@link #builder()}.
 *
 * <pre>
 *  0 local comm id | 8 service id | 16 local CA GUID | 28 Q_Key | 32 local QPN (24)
 * 35 responder resources | 39 initiator depth | 43 remote CM timeout(5) transport(2) flow control(1)
 * 44 starting PSN (24) | 47 local CM timeout(5) retry(3) | 48 P_Key | 50 MTU(4) RDC(1) RNR retry(3)
 * 51 max CM retries(4) SRQ(1) | 52 local LID | 54 remote LID | 56 local GID | 72 remote GID
 * 88 flow label(20), rate(6) | 92 traffic class | 93 hop limit | 94 SL(4), subnet local(1)
 * 95 local ACK timeout(5) | 96 alternate path (44), 0 for none | 140 private data (92)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param serviceId {@link ServiceId}
 * @param localCaGuid the sender's device
 * @param localQpn the sender's queue pair
 * @param responderResources READ and ATOMIC requests the sender serves at once
 * @param initiatorDepth READ and ATOMIC requests the sender may have outstanding
 * @param transport 0 for RC
 * @param flowControl end-to-end flow control
 * @param startingPsn the first PSN the sender expects to receive
 * @param remoteCmResponseTimeout code of the time the receiver may take to answer
 * @param localCmResponseTimeout code of the time the sender takes to answer
 * @param retryCount 0..7, for both queue pairs
 * @param rnrRetryCount 0..7, for the receiver's queue pair
 * @param pkey partition key
 * @param pathMtu code 1..5 for 256..4096
 * @param maxCmRetries 0..15
 * @param srq whether the sender's queue pair has a shared receive queue
 * @param localGid the sender's address in the path
 * @param remoteGid the receiver's address in the path
 * @param flowLabel 20 bits
 * @param trafficClass 0..255
 * @param hopLimit 0..255; above 1 for a routed path, and the LIDs are then 0xFFFF
 * @param localAckTimeout code 0..31: how long the sender waits for an acknowledgement
 * @param privateData at most 92 bytes, {@link CmaHeader} first
 */
public record CmReq(
    int localCommId,
    long serviceId,
    long localCaGuid,
    int localQpn,
    int responderResources,
    int initiatorDepth,
    int transport,
    boolean flowControl,
    int startingPsn,
    int remoteCmResponseTimeout,
    int localCmResponseTimeout,
    int retryCount,
    int rnrRetryCount,
    int pkey,
    int pathMtu,
    int maxCmRetries,
    boolean srq,
    InetAddress localGid,
    InetAddress remoteGid,
    int flowLabel,
    int trafficClass,
    int hopLimit,
    int localAckTimeout,
    byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0010;

  /** Bytes of private data, {@link CmaHeader} included. */
  public static final int PRIVATE_DATA_LENGTH = 92;

  /** The transport of reliable connections. */
  public static final int TRANSPORT_RC = 0;

  /** A builder with RC, one P_Key, a routed path, the kernel's CM timers, everything else 0. */
  public static CmReqBuilder builder() {
    return new CmReqBuilder();
  }

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  /** Who connects to whom, or null when the private data doesn't say in a way we know. */
  public CmaHeader cmaHeader() {
    return CmaHeader.read(privateData);
  }

  /** The user's private data: 56 bytes. */
  public byte[] userData() {
    return CmaHeader.userData(privateData);
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putLong(8, serviceId);
    data.putLong(16, localCaGuid);
    CmFields.put24(data, 32, localQpn);
    data.put(35, (byte) responderResources);
    data.put(39, (byte) initiatorDepth);
    data.put(
        43, (byte) (remoteCmResponseTimeout << 3 | (transport & 3) << 1 | (flowControl ? 1 : 0)));
    CmFields.put24(data, 44, startingPsn);
    data.put(47, (byte) (localCmResponseTimeout << 3 | retryCount & 7));
    data.putShort(48, (short) pkey);
    data.put(50, (byte) (pathMtu << 4 | rnrRetryCount & 7));
    data.put(51, (byte) (maxCmRetries << 4 | (srq ? 8 : 0)));
    boolean routed = hopLimit > 1;
    data.putInt(52, routed ? 0xFFFF_FFFF : 0);
    CmFields.putGid(data, 56, localGid);
    CmFields.putGid(data, 72, remoteGid);
    data.putInt(88, flowLabel << 12);
    data.put(92, (byte) trafficClass);
    data.put(93, (byte) hopLimit);
    data.put(94, (byte) (routed ? 0 : 8));
    data.put(95, (byte) (localAckTimeout << 3));
    CmFields.putBytes(data, 140, privateData, PRIVATE_DATA_LENGTH, "private data of a REQ");
  }

  static CmReq read(ByteBuffer data) {
    int b43 = CmFields.u8(data, 43);
    int b47 = CmFields.u8(data, 47);
    int b50 = CmFields.u8(data, 50);
    int b51 = CmFields.u8(data, 51);
    return new CmReq(
        data.getInt(0),
        data.getLong(8),
        data.getLong(16),
        CmFields.u24(data, 32),
        CmFields.u8(data, 35),
        CmFields.u8(data, 39),
        b43 >> 1 & 3,
        (b43 & 1) != 0,
        CmFields.u24(data, 44),
        b43 >> 3,
        b47 >> 3,
        b47 & 7,
        b50 & 7,
        CmFields.u16(data, 48),
        b50 >> 4,
        b51 >> 4,
        (b51 & 8) != 0,
        CmFields.gid(data, 56),
        CmFields.gid(data, 72),
        data.getInt(88) >>> 12,
        CmFields.u8(data, 92),
        CmFields.u8(data, 93),
        CmFields.u8(data, 95) >> 3,
        CmFields.bytes(data, 140, PRIVATE_DATA_LENGTH));
  }
}
