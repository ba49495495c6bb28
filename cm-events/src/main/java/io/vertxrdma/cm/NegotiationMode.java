package io.vertxrdma.cm;

import java.util.Locale;

/** What happens to a parameter that the device or the peer does not allow. */
public enum NegotiationMode {
  /** The highest allowed value is used and the adjustment reported; the default. */
  CLAMP,
  /** The operation is refused with a {@link NegotiationException} before any native call. */
  STRICT;

  /** The name in JSON: {@code clamp} or {@code strict}. */
  public String jsonName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The mode of a JSON name, upper or lower case.
   *
   * @throws IllegalArgumentException for any other name
   */
  public static NegotiationMode ofJsonName(String name) {
    for (NegotiationMode mode : values()) {
      if (mode.jsonName().equalsIgnoreCase(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("negotiation must be clamp or strict, was " + name);
  }
}
