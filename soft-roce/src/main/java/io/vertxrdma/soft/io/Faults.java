package io.vertxrdma.soft.io;

/**
 * How often {@link FaultInjection} does what to a packet: probabilities 0..1, each independent.
 *
 * @param drop lose it
 * @param duplicate send it twice
 * @param reorder hold it back behind one to three later packets, or for a few milliseconds
 * @param corrupt flip one of its bits behind the CRC
 * @param delay send it late
 * @param maxDelayNanos how late at most
 */
public record Faults(
    double drop,
    double duplicate,
    double reorder,
    double corrupt,
    double delay,
    long maxDelayNanos) {

  /** A perfect wire. */
  public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0);

  /** Checks the probabilities. */
  public Faults {
    for (double probability : new double[] {drop, duplicate, reorder, corrupt, delay}) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("a probability is 0..1, not " + probability);
      }
    }
    if (maxDelayNanos < 0) {
      throw new IllegalArgumentException("delay " + maxDelayNanos + " ns");
    }
  }

  /** Only lost packets. */
  public static Faults dropping(double probability) {
    return new Faults(probability, 0, 0, 0, 0, 0);
  }

  /** A bit of everything, each with that probability, delays up to 5 ms. */
  public static Faults everything(double probability) {
    return new Faults(probability, probability, probability, probability, probability, 5_000_000);
  }
}
