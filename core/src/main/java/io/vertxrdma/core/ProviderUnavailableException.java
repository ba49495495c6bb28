package io.vertxrdma.core;

/** No provider, or not the one asked for, can be used on this machine. */
public class ProviderUnavailableException extends RdmaException {

  private final transient Availability availability;

  /** Makes the exception for a provider's answer. */
  public ProviderUnavailableException(String provider, Availability availability) {
    super(
        "provider " + provider,
        0,
        availability.cause().name(),
        (provider.equals(ProviderSelection.AUTO)
                ? "no RDMA provider is available: "
                : "the " + provider + " RDMA provider is not available: ")
            + availability.reason());
    this.availability = availability;
  }

  /** The provider's answer. */
  public Availability availability() {
    return availability;
  }
}
