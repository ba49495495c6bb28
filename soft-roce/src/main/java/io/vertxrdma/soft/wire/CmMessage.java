package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * A message of the InfiniBand connection manager: the 232 bytes behind a MAD header, as values.
 *
 * <p>"Local" always means the sender of the message. Numbers are unsigned values in an {@code int}
 * or {@code long}; what doesn't fit its field is cut on writing. Private data read from the wire is
 * the whole area of the message, whatever the sender filled; on writing, shorter data is padded
 * with zeros and longer data is a programming error.
 *
 * <p>Layouts: IBTA volume 1, chapter 12; kernel include/rdma/ibta_vol1_c12.h.
 */
public sealed interface CmMessage
    permits CmReq, CmMra, CmRej, CmRep, CmRtu, CmDreq, CmDrep, CmSidrReq, CmSidrRep {

  /** Bytes behind the MAD header. */
  int DATA_LENGTH = 232;

  /** The attribute id of the MAD header. */
  int attributeId();

  /** The message's private data, never null. */
  byte[] privateData();

  /**
   * Writes the message.
   *
   * @param data 232 zero bytes, big-endian, from index 0
   */
  void write(ByteBuffer data);
}
