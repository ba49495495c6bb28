package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.reactive.RdmaConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines every connection leaves in the log: one at the request with what the peer announced,
 * one when it is established with what the device really uses, and a warning for each clamp.
 */
final class ConnectionLog {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private ConnectionLog() {}

  static void requested(String about, CmEvent event, DeviceContext device) {
    LOG.info("{}: connect request on {}: {}", about, device.name(), event.parameters());
  }

  static void negotiated(String about, NegotiatedParameters negotiated) {
    for (Adjustment adjustment : negotiated.adjustments()) {
      if (adjustment.severity() == Adjustment.Severity.WARN) {
        LOG.warn("{}: {}", about, adjustment);
      } else {
        LOG.info("{}: {}", about, adjustment);
      }
    }
    for (String warning : negotiated.warnings()) {
      LOG.warn("{}: {}", about, warning);
    }
  }

  static void established(
      Role role,
      String about,
      DeviceContext device,
      DataPath path,
      NegotiatedParameters negotiated,
      QueuePairAttributes attributes) {
    LOG.info(
        "{}: {} on {}, qp 0x{}: {}{}",
        about,
        role == Role.ACTIVE ? "connected" : "accepted",
        device.name(),
        Integer.toHexString(path.number()),
        attributes,
        negotiated.adjustments().isEmpty() ? "" : ", adjusted " + negotiated.adjustments());
  }
}
