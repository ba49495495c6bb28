package io.vertxrdma.reactive;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.DeviceContext;
import java.util.Objects;

/**
 * Something that happened to a device, or to what an endpoint has on it.
 *
 * @param kind what happened
 * @param device the device; null for a listener that is bound to none
 * @param port the device port it is about, numbered from 1, or 0
 * @param asyncEvent the device's asynchronous event behind it, or null when the connection manager
 *     or this library told
 * @param cause for {@link Kind#LISTENER_DOWN} why, otherwise null
 */
public record DeviceEvent(
    Kind kind, DeviceContext device, int port, AsyncEvent asyncEvent, Throwable cause) {

  /** What happened; the names are those of {@code enum ibv_event_type} where it has one. */
  public enum Kind {
    /** A port came up. */
    PORT_ACTIVE,
    /** A port went down; connections stay, but what they send is lost until it is back. */
    PORT_ERR,
    /** The device failed as a whole: every connection on it ends. */
    DEVICE_FATAL,
    /** The device is being removed (RDMA_CM_EVENT_DEVICE_REMOVAL): every connection on it ends. */
    DEVICE_REMOVAL,
    /**
     * The network interface moved to another device (RDMA_CM_EVENT_ADDR_CHANGE, bonding): the
     * connections concerned end.
     */
    ADDR_CHANGE,
    /** A queue pair failed: its connection ends. */
    QP_FATAL,
    /** A completion queue overran: the connections that share it end. */
    CQ_ERR,
    /** A shared receive queue failed. */
    SRQ_ERR,
    /** A shared receive queue fell below its limit. */
    SRQ_LIMIT_REACHED,
    /** The GID table changed: addresses came or went. */
    GID_CHANGE,
    /** The listener lost its device; it is bound again when the address has one. */
    LISTENER_DOWN,
    /** The listener is bound again. */
    LISTENER_UP,
    /** Anything else; see {@link DeviceEvent#asyncEvent()}. */
    OTHER
  }

  /** Checks that there is a kind. */
  public DeviceEvent {
    Objects.requireNonNull(kind, "kind");
  }

  /** What an asynchronous event is here. */
  public static DeviceEvent of(AsyncEvent event) {
    Kind kind =
        switch (event.type()) {
          case PORT_ACTIVE -> Kind.PORT_ACTIVE;
          case PORT_ERR -> Kind.PORT_ERR;
          case DEVICE_FATAL -> Kind.DEVICE_FATAL;
          case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, WQ_FATAL -> Kind.QP_FATAL;
          case CQ_ERR -> Kind.CQ_ERR;
          case SRQ_ERR -> Kind.SRQ_ERR;
          case SRQ_LIMIT_REACHED -> Kind.SRQ_LIMIT_REACHED;
          case GID_CHANGE -> Kind.GID_CHANGE;
          default -> Kind.OTHER;
        };
    return new DeviceEvent(kind, event.device(), event.port(), event, null);
  }

  @Override
  public String toString() {
    return kind
        + (device == null ? "" : " on " + device.name())
        + (port == 0 ? "" : " port " + port)
        + (kind == Kind.OTHER && asyncEvent != null ? ": " + asyncEvent : "")
        + (cause == null ? "" : ": " + cause.getMessage());
  }
}
