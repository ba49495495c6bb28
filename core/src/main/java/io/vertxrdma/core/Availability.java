package io.vertxrdma.core;

import java.util.Objects;

/**
 * Whether a provider can be used on this machine, and in one plain sentence why not.
 *
 * @param cause {@link Cause#AVAILABLE}, or what is missing
 * @param reason one sentence for a person; for an available provider what was found
 */
public record Availability(Cause cause, String reason) {

  /** What kind of thing stands in the way of a provider. */
  public enum Cause {
    /** Nothing: the provider works. */
    AVAILABLE,
    /** This operating system or processor is not one the provider knows. */
    UNSUPPORTED_PLATFORM,
    /** A shared library, or a function in it, is missing. */
    LIBRARY_MISSING,
    /** The kernel module or its device file is not there. */
    KERNEL_SUPPORT_MISSING,
    /** Libraries and modules are there, but there is no RDMA device. */
    NO_DEVICE,
    /** A device file exists but this user may not open it. */
    NO_RIGHTS,
    /** A native struct does not look as this library expects. */
    LAYOUT_MISMATCH
  }

  /** Checks that neither component is null. */
  public Availability {
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(reason, "reason");
  }

  /** An answer that says yes. */
  public static Availability available(String found) {
    return new Availability(Cause.AVAILABLE, found);
  }

  /** An answer that says no. */
  public static Availability unavailable(Cause cause, String reason) {
    if (cause == Cause.AVAILABLE) {
      throw new IllegalArgumentException("cause AVAILABLE contradicts unavailable: " + reason);
    }
    return new Availability(cause, reason);
  }

  /** Whether the provider can be used. */
  public boolean isAvailable() {
    return cause == Cause.AVAILABLE;
  }
}
