package io.vertxrdma.core;

/** The RDMA port spaces ({@code enum rdma_port_space}) this library speaks. */
public enum PortSpace {
  /** Reliable connected queue pairs, {@code RDMA_PS_TCP}. */
  TCP(0x0106),
  /** Unreliable datagram queue pairs, {@code RDMA_PS_UDP}. */
  UDP(0x0111);

  private final int code;

  PortSpace(int code) {
    this.code = code;
  }

  /** The native number. */
  public int code() {
    return code;
  }
}
