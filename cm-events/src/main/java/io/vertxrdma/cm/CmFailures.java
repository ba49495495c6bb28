package io.vertxrdma.cm;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.core.UnreachableException;
import java.util.List;

/**
 * Turns failure events, refused calls and passed deadlines into typed exceptions whose messages
 * have the strings people search for. Pure; {@code about} is whom or what it was about, for example
 * {@code 10.0.0.1:18515}.
 *
 * <p>An event's status has two sign conventions (rdma_get_cm_event(3)): a negative errno, or a
 * positive code of the transport. A status of -1 means that librdmacm failed by itself and left the
 * cause in errno.
 */
public final class CmFailures {

  private CmFailures() {}

  /**
   * The exception for a failure event.
   *
   * @param role which end of the connection got it
   */
  public static RdmaException of(CmEvent event, Role role, String about) {
    return of(
        event.type(),
        event.rawType(),
        event.status(),
        event.errno(),
        event.privateData(),
        role,
        about);
  }

  /**
   * The exception for a failure event given by its parts.
   *
   * @param type the event's type
   * @param rawType its native number
   * @param status its native status
   * @param errno the errno behind a status of -1, or 0
   * @param privateData the peer's, for REJECTED; null means none
   * @param role which end of the connection got it
   * @param about the peer's address
   */
  public static RdmaException of(
      CmEventType type,
      int rawType,
      int status,
      int errno,
      byte[] privateData,
      Role role,
      String about) {
    String symbol = symbol(status, errno);
    String meaning = " (" + meaning(type, status, errno) + ")";
    String named = type == CmEventType.UNKNOWN ? "RDMA_CM_EVENT_UNKNOWN" : type.nativeName();
    String error = named + ", error: " + status + meaning;
    String numbered = named + " (" + rawType + "), status " + status + meaning;
    return switch (type) {
      case ADDR_ERROR ->
          new AddressException(
              "rdma_resolve_addr", status, symbol, error + addressHint(status, errno, about));
      case ROUTE_ERROR ->
          new AddressException(
              "rdma_resolve_route", status, symbol, error + addressHint(status, errno, about));
      case CONNECT_ERROR ->
          new ConnectException(role.operation(), status, symbol, error + on(about));
      case UNREACHABLE ->
          new UnreachableException(
              role.operation(),
              status,
              symbol,
              named + ", " + status + meaning + ": no answer from " + peer(about));
      case REJECTED ->
          role == Role.ACTIVE
              ? rejected(status, privateData == null ? new byte[0] : privateData)
              : new ConnectionClosedException(
                  role.operation(), status, symbol, numbered + ": the peer is gone" + on(about));
      case DISCONNECTED ->
          new ConnectionClosedException(
              role.operation(), status, symbol, numbered + ": closed by " + peer(about));
      case DEVICE_REMOVAL ->
          new DeviceRemovedException(
              role.operation(), status, symbol, numbered + ": the device was removed" + on(about));
      case ADDR_CHANGE ->
          new ConnectionClosedException(
              role.operation(),
              status,
              symbol,
              numbered + ": the local address moved to another device; connect again" + on(about));
      case CONNECT_RESPONSE ->
          new ConnectException(
              role.operation(),
              status,
              symbol,
              numbered + ": the id has no queue pair of its own" + on(about));
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              CONNECT_REQUEST,
              ESTABLISHED,
              MULTICAST_JOIN,
              MULTICAST_ERROR,
              TIMEWAIT_EXIT,
              ADDRINFO_RESOLVED,
              ADDRINFO_ERROR,
              USER,
              INTERNAL,
              UNKNOWN ->
          new ConnectException(
              role.operation(), status, symbol, numbered + ": unexpected" + on(about));
    };
  }

  /** With the peer's reason, where it sent one that can be read. */
  private static ConnectionRejectedException rejected(int status, byte[] privateData) {
    return HandshakeRejection.decode(privateData)
        .<ConnectionRejectedException>map(
            reason -> new HandshakeRejectedException(status, privateData, reason))
        .orElseGet(() -> new ConnectionRejectedException(status, privateData));
  }

  /**
   * Makes the exception of a refused CM call as typed as an event's would be. One that has a type
   * already comes back as it is, and so does one that says nothing about address, peer or device.
   *
   * <p>EINVAL of rdma_accept, with parameters that were checked before, means that the peer is
   * gone: the kernel tells in no other way that a request was withdrawn. Unless negotiation knew a
   * reason for a refusal, which is then told.
   *
   * @param thrown what the provider threw, with an errno as its code
   * @param about the peer's address
   * @param negotiated the parameters of connect or accept; null for other calls
   */
  public static RdmaException ofCall(
      RdmaException thrown, String about, NegotiatedParameters negotiated) {
    Errno known = Errno.of(thrown.code());
    String operation = thrown.operation();
    if (thrown.getClass() != RdmaException.class || known == null) {
      return thrown;
    }
    int errno = thrown.code();
    String symbol = known.name();
    String text = thrown.getMessage();
    List<String> refusals = negotiated == null ? List.of() : negotiated.refusals();
    RdmaException typed =
        switch (known) {
          case EADDRINUSE -> new AddressInUseException(operation, errno, symbol, text);
          case ENODEV, EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH, EHOSTUNREACH, ENETDOWN ->
              new AddressException(operation, errno, symbol, text + addressHint(-errno, 0, about));
          case ETIMEDOUT, EHOSTDOWN ->
              new UnreachableException(operation, errno, symbol, text + on(about));
          case ENXIO -> new DeviceRemovedException(operation, errno, symbol, text + on(about));
          case EINVAL ->
              operation.equals(Role.PASSIVE.operation()) && refusals.isEmpty()
                  ? new ConnectionClosedException(
                      operation,
                      errno,
                      symbol,
                      text + ": the peer gave up before it was accepted" + on(about))
                  : refused(thrown, symbol, on(about) + hints(refusals));
          default -> refused(thrown, symbol, on(about));
        };
    if (typed != thrown) {
      typed.initCause(thrown);
    }
    return typed;
  }

  private static RdmaException refused(RdmaException thrown, String symbol, String more) {
    String operation = thrown.operation();
    return operation.equals(Role.ACTIVE.operation()) || operation.equals(Role.PASSIVE.operation())
        ? new ConnectException(operation, thrown.code(), symbol, thrown.getMessage() + more)
        : thrown;
  }

  /**
   * The exception for a step, or a whole attempt, that took longer than its deadline.
   *
   * @param state how far the attempt was
   * @param millis the deadline that passed
   */
  public static ConnectTimeoutException timeout(
      ConnectionState state, Role role, long millis, String about) {
    return new ConnectTimeoutException(
        role.operation(),
        -Errno.ETIMEDOUT.number(),
        Errno.ETIMEDOUT.name(),
        role.operation() + " timed out after " + millis + " ms " + state.words() + on(about));
  }

  /**
   * The exception for whoever waits for a connection that this side closed.
   *
   * @param state how far it was
   */
  public static ConnectionClosedException closed(ConnectionState state, Role role, String about) {
    return new ConnectionClosedException(
        role.operation(), 0, "", "closed locally " + state.words() + on(about));
  }

  private static String symbol(int status, int errno) {
    if (status == -1 && errno != 0) {
      return Errno.nameOf(errno);
    }
    return status < 0 ? Errno.nameOf(-status) : "";
  }

  private static String meaning(CmEventType type, int status, int errno) {
    if (status == -1) {
      return "failed in librdmacm" + (errno == 0 ? "" : ", " + describe(errno));
    }
    if (status < 0) {
      return describe(-status);
    }
    return switch (type) {
      case REJECTED -> RejectReason.text(status);
      case ROUTE_ERROR -> status == 0 ? "no cause given" : "subnet administrator's status";
      case UNREACHABLE -> status == 0 ? "no cause given" : "SIDR status";
      default -> status == 0 ? "no error" : "transport code";
    };
  }

  /** For example {@code ENODEV: No such device}; the number stands beside it already. */
  private static String describe(int errno) {
    Errno known = Errno.of(errno);
    return known == null ? "errno " + errno : known.name() + ": " + known.text();
  }

  private static String hints(List<String> refusals) {
    return refusals.isEmpty() ? "" : "; " + String.join("; ", refusals);
  }

  private static String addressHint(int status, int errno, String about) {
    int cause = status == -1 ? errno : -status;
    boolean noDevice = cause == Errno.ENODEV.number() || cause == Errno.EADDRNOTAVAIL.number();
    return noDevice
        ? ": no RDMA device for address "
            + peer(about)
            + "; use the address of an RDMA device's network interface, not a loopback one"
        : on(about);
  }

  private static String on(String about) {
    return about.isEmpty() ? "" : ", " + about;
  }

  private static String peer(String about) {
    return about.isEmpty() ? "the peer" : about;
  }
}
