package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.AlignmentFinding.Severity;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines every connection leaves in the log: one at the request with what the peer announced,
 * one when it is established with what the device really uses, and a warning for each clamp.
 */
final class ConnectionLog {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private ConnectionLog() {}

  /** All that the peer announced, with the findings that are worth a remark in the same line. */
  static void requested(
      String about, PeerOffer announced, DeviceContext device, List<AlignmentFinding> findings) {
    List<AlignmentFinding> remarks =
        findings.stream().filter(found -> found.kind().severity() == Severity.INFO).toList();
    LOG.info(
        "{}: connect request on {}: {}{}",
        about,
        device.name(),
        announced,
        remarks.isEmpty() ? "" : "; " + remarks);
    warnings(about, findings);
  }

  /**
   * A warning for each finding that deserves one.
   *
   * @param findings those not told before
   */
  static void warnings(String about, List<AlignmentFinding> findings) {
    for (AlignmentFinding found : findings) {
      if (found.kind().severity() == Severity.WARN) {
        LOG.warn("{}: {}", about, found);
      }
    }
  }

  /** A remark about long private data of our own; what the device refuses never comes here. */
  static void sending(String about, byte[] privateData) {
    int length = privateData == null ? 0 : privateData.length;
    PrivateDataLimits.Advice advice = PrivateDataLimits.advice(length);
    if (advice == PrivateDataLimits.Advice.TOO_LARGE) {
      LOG.warn("{}: {} bytes: {}", about, length, advice.text());
    } else if (advice == PrivateDataLimits.Advice.LARGE) {
      LOG.info("{}: {} bytes: {}", about, length, advice.text());
    }
  }

  static void negotiated(String about, List<Adjustment> adjustments) {
    for (Adjustment adjustment : adjustments) {
      if (adjustment.severity() == Adjustment.Severity.WARN) {
        LOG.warn("{}: {}", about, adjustment);
      } else {
        LOG.info("{}: {}", about, adjustment);
      }
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
