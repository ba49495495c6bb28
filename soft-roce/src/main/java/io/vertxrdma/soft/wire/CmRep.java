package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Reply to a request for communication.
 *
 * <pre>
 * 0 local comm id | 4 remote comm id | 8 Q_Key | 12 local QPN (24) | 20 starting PSN (24)
 * 24 responder resources | 25 initiator depth | 26 target ACK delay(5) failover(2) flow control(1)
 * 27 RNR retry(3) SRQ(1) | 28 local CA GUID | 36 private data (196)
 * </pre>
 *
 * @param localCommId the sender's number for the connection
 * @param remoteCommId the receiver's number for the connection, 0 if not known
 * @param localQpn the sender's queue pair
 * @param startingPsn the first PSN the sender expects to receive
 * @param responderResources READ and ATOMIC requests the sender serves at once
 * @param initiatorDepth READ and ATOMIC requests the sender may have outstanding
 * @param targetAckDelay code 0..31 of the time the sender takes to acknowledge
 * @param flowControl end-to-end flow control
 * @param rnrRetryCount 0..7, for the receiver's queue pair
 * @param srq whether the sender's queue pair has a shared receive queue
 * @param localCaGuid the sender's device
 * @param privateData at most 196 bytes
 */
public record CmRep(
    int localCommId,
    int remoteCommId,
    int localQpn,
    int startingPsn,
    int responderResources,
    int initiatorDepth,
    int targetAckDelay,
    boolean flowControl,
    int rnrRetryCount,
    boolean srq,
    long localCaGuid,
    byte[] privateData)
    implements CmMessage {

  /** Attribute id. */
  public static final int ATTRIBUTE_ID = 0x0013;

  /** Bytes of private data. */
  public static final int PRIVATE_DATA_LENGTH = 196;

  @Override
  public int attributeId() {
    return ATTRIBUTE_ID;
  }

  @Override
  public void write(ByteBuffer data) {
    data.putInt(0, localCommId);
    data.putInt(4, remoteCommId);
    CmFields.put24(data, 12, localQpn);
    CmFields.put24(data, 20, startingPsn);
    data.put(24, (byte) responderResources);
    data.put(25, (byte) initiatorDepth);
    data.put(26, (byte) (targetAckDelay << 3 | (flowControl ? 1 : 0)));
    data.put(27, (byte) (rnrRetryCount << 5 | (srq ? 0x10 : 0)));
    data.putLong(28, localCaGuid);
    CmFields.putBytes(data, 36, privateData, PRIVATE_DATA_LENGTH, "private data of a REP");
  }

  static CmRep read(ByteBuffer data) {
    return new CmRep(
        data.getInt(0),
        data.getInt(4),
        CmFields.u24(data, 12),
        CmFields.u24(data, 20),
        CmFields.u8(data, 24),
        CmFields.u8(data, 25),
        CmFields.u8(data, 26) >> 3,
        (data.get(26) & 1) != 0,
        CmFields.u8(data, 27) >> 5,
        (data.get(27) & 0x10) != 0,
        data.getLong(28),
        CmFields.bytes(data, 36, PRIVATE_DATA_LENGTH));
  }
}
