package io.vertxrdma.cm;

import io.vertxrdma.core.DeviceAttributes;

/**
 * What a device allows a queue pair in READ and ATOMIC requests, as the device reports it: unsigned
 * 32-bit values kept as {@code long}.
 *
 * <p>The struct of the CM has one byte for each, so 255 is the most a connection can use. librdmacm
 * makes it worse: it keeps the device's values in a byte of its own and so believes 0 of a device
 * that reports 256 (librdmacm/cma.c, ucma_init_device). On such a device it refuses explicit depths
 * above the low byte with EINVAL; 255, "device maximum", is never refused.
 *
 * @param maxResponderResources {@code max_qp_rd_atom}, bounds responder resources; 0..2^32-1
 * @param maxInitiatorDepth {@code max_qp_init_rd_atom}, bounds initiator depth; 0..2^32-1. (There
 *     is no {@code max_dest_rd_atom} in {@code struct ibv_device_attr}.)
 */
public record DeviceLimits(long maxResponderResources, long maxInitiatorDepth) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException unless both are 0..2^32-1
   */
  public DeviceLimits {
    unsigned("maxResponderResources", maxResponderResources);
    unsigned("maxInitiatorDepth", maxInitiatorDepth);
  }

  /** The limits of a device. */
  public static DeviceLimits of(DeviceAttributes attributes) {
    return new DeviceLimits(attributes.maxResponderResources(), attributes.maxInitiatorDepth());
  }

  /** The most responder resources a connection can use, 0..255. */
  public int usableResponderResources() {
    return (int) Math.min(maxResponderResources, ConnectionParameters.DEVICE_MAXIMUM);
  }

  /** The highest initiator depth a connection can use, 0..255. */
  public int usableInitiatorDepth() {
    return (int) Math.min(maxInitiatorDepth, ConnectionParameters.DEVICE_MAXIMUM);
  }

  /** What librdmacm believes {@code max_qp_rd_atom} to be: its low byte, 0..255. */
  public int librdmacmResponderResources() {
    return (int) (maxResponderResources & 0xff);
  }

  /** What librdmacm believes {@code max_qp_init_rd_atom} to be: its low byte, 0..255. */
  public int librdmacmInitiatorDepth() {
    return (int) (maxInitiatorDepth & 0xff);
  }

  private static void unsigned(String name, long value) {
    if (value < 0 || value > 0xffff_ffffL) {
      throw new IllegalArgumentException(name + " must be 0..4294967295, was " + value);
    }
  }
}
