package io.vertxrdma.systemtests.interop;

import java.util.Locale;

/** The programs of perftest we speak with, and how their conversations differ. */
enum PerftestProgram {
  SEND_BW(4, false, true),
  SEND_LAT(4, false, true),
  WRITE_BW(3, true, true),
  WRITE_LAT(4, false, false),
  READ_BW(3, true, true),
  ATOMIC_BW(3, true, true),
  ATOMIC_LAT(4, false, true);

  private final int handshakes;
  private final boolean reports;
  private final boolean farewell;

  PerftestProgram(int handshakes, boolean reports, boolean farewell) {
    this.handshakes = handshakes;
    this.reports = reports;
    this.farewell = farewell;
  }

  /** The one of that command, for example {@code ib_send_bw}. */
  static PerftestProgram ofCommand(String command) {
    return valueOf(command.substring("ib_".length()).toUpperCase(Locale.ROOT));
  }

  /** Handshakes between the one that ends connecting and the traffic. */
  int handshakes() {
    return handshakes;
  }

  /** Whether the figures are exchanged, after a handshake. */
  boolean reports() {
    return reports;
  }

  /** Whether the last thing before disconnecting is a handshake. */
  boolean farewell() {
    return farewell;
  }
}
