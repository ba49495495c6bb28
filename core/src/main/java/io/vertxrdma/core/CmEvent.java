package io.vertxrdma.core;

import java.util.Objects;

/**
 * One connection manager event: an immutable copy that stays valid for ever.
 *
 * <p>Which fields mean something depends on the type, see rdma_get_cm_event(3); the others are 0.
 * Depths in a {@link CmEventType#CONNECT_REQUEST} and an active {@link CmEventType#ESTABLISHED} are
 * as the receiver of the event would use them: the peer's initiator depth arrives as {@link
 * ConnParam#responderResources()} and the other way round.
 */
public final class CmEvent {

  private static final byte[] NONE = {};

  private final int rawType;
  private final CmEventType type;
  private final int status;
  private final int errno;
  private final CmId id;
  private final CmId listener;
  private final byte[] privateData;
  private final ConnParam parameters;
  private final UdParam udParam;

  /**
   * Makes an event without datagram parameters; for providers.
   *
   * @param rawType see {@link #CmEvent(int, int, int, CmId, CmId, ConnParam, UdParam)}
   * @param status likewise
   * @param errno likewise
   * @param id likewise
   * @param listener likewise
   * @param parameters likewise
   */
  public CmEvent(int rawType, int status, int errno, CmId id, CmId listener, ConnParam parameters) {
    this(rawType, status, errno, id, listener, parameters, null);
  }

  /**
   * Makes an event; for providers.
   *
   * @param rawType the native event number
   * @param status the native status: 0, a negative errno, or a positive protocol code
   * @param errno for a status of -1 set by the library, the errno behind it; else 0
   * @param id the id the event is about; for a request the new one
   * @param listener for a request the id that listens; else null
   * @param parameters depths, counts, and the private data of which this event is the copy
   * @param udParam how to reach a datagram peer, or null
   */
  public CmEvent(
      int rawType,
      int status,
      int errno,
      CmId id,
      CmId listener,
      ConnParam parameters,
      UdParam udParam) {
    this.rawType = rawType;
    this.type = CmEventType.of(rawType);
    this.status = status;
    this.errno = errno;
    this.id = Objects.requireNonNull(id, "id");
    this.listener = listener;
    this.parameters = Objects.requireNonNull(parameters, "parameters");
    this.udParam = udParam;
    byte[] data = parameters.privateData();
    this.privateData = data.length == 0 ? NONE : data;
  }

  /** The type, {@link CmEventType#UNKNOWN} for numbers without a name. */
  public CmEventType type() {
    return type;
  }

  /** The native event number. */
  public int rawType() {
    return rawType;
  }

  /**
   * The native status. 0 is success; negative values are errnos; REJECTED on InfiniBand and RoCE
   * has the positive reject reason, see {@link RejectReason}; UNREACHABLE of a datagram id has the
   * positive status of the peer's answer: 1 nobody listens there, 2 rejected.
   */
  public int status() {
    return status;
  }

  /** The errno behind a status of -1 that librdmacm set itself, or 0. */
  public int errno() {
    return errno;
  }

  /** The id the event is about; for a request the new id of the connection. */
  public CmId id() {
    return id;
  }

  /** For a request the listening id, otherwise null. */
  public CmId listener() {
    return listener;
  }

  /**
   * A copy of the private data; empty when the event carried none. On InfiniBand and RoCE its
   * length is that of the whole field of the message (56, 196 or 148; for datagram ids 180 in a
   * request and 136 in an answer), zero-padded, not what the peer sent.
   */
  public byte[] privateData() {
    return privateData.clone();
  }

  /** The connection parameters the event carried. */
  public ConnParam parameters() {
    return parameters;
  }

  /**
   * How to reach the peer's queue pair: in {@link CmEventType#ESTABLISHED} of an id of port space
   * {@link PortSpace#UDP}, otherwise null.
   */
  public UdParam udParam() {
    return udParam;
  }

  @Override
  public String toString() {
    return (type == CmEventType.UNKNOWN ? "RDMA_CM_EVENT_UNKNOWN" : type.nativeName())
        + " ("
        + rawType
        + "), status "
        + status
        + (errno == 0 ? "" : ", " + Errno.describe(errno))
        + ", "
        + id;
  }
}
