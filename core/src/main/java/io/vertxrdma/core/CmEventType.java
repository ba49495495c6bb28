package io.vertxrdma.core;

/** Connection manager event types ({@code enum rdma_cm_event_type}, rdma_get_cm_event(3)). */
public enum CmEventType {
  /** Address resolution done. */
  ADDR_RESOLVED(0),
  /** Address resolution failed. */
  ADDR_ERROR(1),
  /** Route resolution done. */
  ROUTE_RESOLVED(2),
  /** Route resolution failed. */
  ROUTE_ERROR(3),
  /** A peer asks for a connection; the event's id is new. */
  CONNECT_REQUEST(4),
  /** The peer answered and the id has no queue pair of its own. */
  CONNECT_RESPONSE(5),
  /** Connecting failed for a local or protocol reason. */
  CONNECT_ERROR(6),
  /** The peer does not answer. */
  UNREACHABLE(7),
  /** The peer, or its CM, said no. */
  REJECTED(8),
  /** The connection stands. */
  ESTABLISHED(9),
  /** The connection ended. */
  DISCONNECTED(10),
  /** The device goes away; everything on it must be closed. */
  DEVICE_REMOVAL(11),
  /** A multicast join is done. */
  MULTICAST_JOIN(12),
  /** A multicast join failed, or its group ended. */
  MULTICAST_ERROR(13),
  /** The address moved to another device. */
  ADDR_CHANGE(14),
  /** The queue pair has left timewait. */
  TIMEWAIT_EXIT(15),
  /** Asynchronous rdma_resolve_addrinfo is done (newer rdma-core). */
  ADDRINFO_RESOLVED(16),
  /** Asynchronous rdma_resolve_addrinfo failed (newer rdma-core). */
  ADDRINFO_ERROR(17),
  /** Written by an application with rdma_write_cm_event (newer rdma-core). */
  USER(18),
  /** Internal to librdmacm (newer rdma-core). */
  INTERNAL(19),
  /** A number this library has no name for; see {@link CmEvent#rawType()}. */
  UNKNOWN(-1);

  private static final CmEventType[] BY_CODE = new CmEventType[20];

  static {
    for (CmEventType type : values()) {
      if (type.code >= 0) {
        BY_CODE[type.code] = type;
      }
    }
  }

  private final int code;

  CmEventType(int code) {
    this.code = code;
  }

  /** The native number, -1 for {@link #UNKNOWN}. */
  public int code() {
    return code;
  }

  /** The name users search for, for example {@code RDMA_CM_EVENT_REJECTED}. */
  public String nativeName() {
    return "RDMA_CM_EVENT_" + name();
  }

  /** The type of a native number; {@link #UNKNOWN} when there is no name for it. */
  public static CmEventType of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
  }
}
