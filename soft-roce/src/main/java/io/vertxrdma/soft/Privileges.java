package io.vertxrdma.soft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process may do, as far as the CM asks. */
final class Privileges {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String EFFECTIVE = "CapEff:";
  private static final int CAP_NET_BIND_SERVICE = 10;

  private Privileges() {}

  /** Whether ports below 1024 are for this process; yes where nobody can tell. */
  static boolean mayBindPrivilegedPorts() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(EFFECTIVE)) {
          String bits = line.substring(EFFECTIVE.length()).trim();
          return (Long.parseUnsignedLong(bits, 16) >>> CAP_NET_BIND_SERVICE & 1) != 0;
        }
      }
    } catch (IOException | NumberFormatException unknown) {
      return true;
    }
    return true;
  }
}
