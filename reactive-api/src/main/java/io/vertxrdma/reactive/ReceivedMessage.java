package io.vertxrdma.reactive;

/**
 * A message that a peer's send brought; see {@link RdmaConnection#messages()}.
 *
 * <p>Its receive is posted again only when the message is released: who keeps messages makes the
 * peer wait.
 */
public interface ReceivedMessage extends ReceivedPayload {

  /** Where it came from. */
  RdmaConnection connection();
}
