package io.vertxrdma.core;

/**
 * A port's state ({@code struct ibv_port_attr}, ibv_query_port(3)).
 *
 * @param state whether traffic flows
 * @param maxMtu bytes of payload in one packet at most, 256..4096
 * @param activeMtu bytes of payload in one packet now
 * @param gidTableLength entries of the GID table
 * @param maxMessageSize bytes in one message
 * @param lid local identifier, 0 on Ethernet
 * @param ethernet whether the link layer is Ethernet
 */
public record PortAttributes(
    State state,
    int maxMtu,
    int activeMtu,
    int gidTableLength,
    long maxMessageSize,
    int lid,
    boolean ethernet) {

  /** {@code enum ibv_port_state}. */
  public enum State {
    /** No state change. */
    NOP,
    /** No link. */
    DOWN,
    /** Link, not configured. */
    INIT,
    /** Configured, not active. */
    ARMED,
    /** Traffic flows. */
    ACTIVE,
    /** Link errors, traffic held back. */
    ACTIVE_DEFER;

    /** The state of a native number; NOP for numbers without a name. */
    public static State of(int code) {
      return code >= 0 && code < values().length ? values()[code] : NOP;
    }
  }
}
