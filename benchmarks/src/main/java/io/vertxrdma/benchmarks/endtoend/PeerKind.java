package io.vertxrdma.benchmarks.endtoend;

import java.util.List;

/**
 * What is exchanged with the C peer of the system tests.
 *
 * @param rate whether the client only writes and the server counts; otherwise each immediate is
 *     answered by one
 * @param spin whether both sides poll without pause; otherwise they sleep until an event wakes them
 */
record PeerKind(boolean rate, boolean spin) {

  /** A rate takes more messages to last as long as round trips do. */
  static final int RATE_FACTOR = 4;

  static final List<PeerKind> ALL =
      List.of(
          new PeerKind(false, false),
          new PeerKind(false, true),
          new PeerKind(true, false),
          new PeerKind(true, true));

  /** Messages in each direction that has any, for an exchange as long as that many round trips. */
  int messages(int roundTrips) {
    return rate ? RATE_FACTOR * roundTrips : roundTrips;
  }

  /** How the peer calls what is done. */
  String mode() {
    return rate ? "rate" : "pingpong";
  }

  /** How the peer calls the way completions are waited for. */
  String waiting() {
    return spin ? "poll" : "event";
  }

  /** What is measured. */
  String quantity() {
    return rate ? "immediates per second" : "half round trip";
  }

  String unit() {
    return rate ? "1/s" : "us";
  }

  @Override
  public String toString() {
    return mode() + ", " + waiting();
  }
}
