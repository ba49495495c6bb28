package io.vertxrdma.reactive;

import java.util.Objects;

/**
 * A datagram to be sent, for {@link RdmaDatagramSocket#postAll}.
 *
 * @param request {@link WorkRequest#send} or {@link WorkRequest#sendWithImmediate}
 * @param to where to
 */
public record Datagram(WorkRequest request, DatagramPeer to) {

  /** Checks what may not be null. */
  public Datagram {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(to, "to");
  }
}
