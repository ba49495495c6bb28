package io.vertxrdma.cm;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceAttributes;
import java.lang.reflect.Proxy;

/** Offers, events and devices for the pure tests. */
final class CmTestData {

  private CmTestData() {}

  /** A request as the passive side sees it: depths already in its own terms. */
  static PeerOffer offer(int responderResources, int initiatorDepth) {
    return new PeerOffer(responderResources, initiatorDepth, 0, 7, 7, false, 17, 0);
  }

  /** The request a peer makes with its own values: what the CM does to them on the way. */
  static PeerOffer requestFrom(NegotiatedParameters peer) {
    ConnParam sent = peer.toConnParam(null, false);
    return PeerOffer.of(
        event(
            CmEventType.CONNECT_REQUEST,
            0,
            new ConnParam(
                null,
                sent.initiatorDepth(),
                sent.responderResources(),
                sent.flowControl(),
                sent.retryCount(),
                sent.rnrRetryCount(),
                false,
                17)));
  }

  static CmEvent event(CmEventType type, int status, ConnParam parameters) {
    return new CmEvent(type.code(), status, 0, id(), null, parameters);
  }

  static CmEvent event(CmEventType type, int status) {
    return event(type, status, ConnParam.ZERO);
  }

  static CmId id() {
    return (CmId)
        Proxy.newProxyInstance(
            CmId.class.getClassLoader(),
            new Class<?>[] {CmId.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("toString")) {
                return "id";
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  static DeviceAttributes device(long maxResponderResources, long maxInitiatorDepth) {
    return new DeviceAttributes(
        "1.0",
        1,
        2,
        3,
        1L << 30,
        100,
        101,
        102,
        103,
        104,
        105,
        maxResponderResources,
        maxInitiatorDepth,
        106,
        107,
        true,
        1);
  }
}
