package io.vertxrdma.core;

/** Options of a {@link CmId}, rdma_set_option(3), level {@code RDMA_OPTION_ID}. */
public enum CmOption {
  /** Type of service, 0..255. */
  TOS(0, 1),
  /** Lets a bind share an address in timewait: 0 or 1; before bind. */
  REUSE_ADDRESS(1, 4),
  /** An IPv6 wildcard listener takes IPv6 only: 0 or 1; before bind. */
  ADDRESS_FAMILY_ONLY(2, 4),
  /** Local ACK timeout code 0..31, 4.096 µs × 2^code; before connect or accept. */
  ACK_TIMEOUT(3, 1);

  private final int code;
  private final int length;

  CmOption(int code, int length) {
    this.code = code;
    this.length = length;
  }

  /** The native option number. */
  public int code() {
    return code;
  }

  /** Bytes the value takes natively. */
  public int length() {
    return length;
  }
}
