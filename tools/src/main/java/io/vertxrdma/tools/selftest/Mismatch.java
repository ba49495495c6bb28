package io.vertxrdma.tools.selftest;

import io.vertx.core.buffer.Buffer;
import java.util.Objects;

/** Something else came than was expected; the message says both. */
final class Mismatch extends RuntimeException {

  private Mismatch(String message) {
    super(message);
  }

  /** A failure that names what was expected and what was seen. */
  static Mismatch of(String what, Object expected, Object seen) {
    return new Mismatch(what + ": expected " + expected + ", saw " + seen);
  }

  /** Fails unless both are equal. */
  static void check(String what, Object expected, Object seen) {
    if (!Objects.equals(expected, seen)) {
      throw of(what, expected, seen);
    }
  }

  /** Fails unless both numbers are equal, which it shows as the machine has them. */
  static void checkHex(String what, long expected, long seen) {
    if (expected != seen) {
      throw of(what, hex(expected), hex(seen));
    }
  }

  /** Fails unless both are equal; it names the first byte that differs. */
  static void checkBytes(String what, Buffer expected, Buffer seen) {
    check("bytes of " + what, expected.length(), seen.length());
    for (int i = 0; i < expected.length(); i++) {
      if (expected.getByte(i) != seen.getByte(i)) {
        throw of(
            "byte " + i + " of " + what,
            hex(expected.getUnsignedByte(i)),
            hex(seen.getUnsignedByte(i)));
      }
    }
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }
}
