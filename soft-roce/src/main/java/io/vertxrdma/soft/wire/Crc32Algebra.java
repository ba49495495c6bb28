package io.vertxrdma.soft.wire;

/**
 * The polynomial arithmetic behind CRC-32: numbers are polynomials over GF(2), modulo the CRC's,
 * bit 31 being the coefficient of x^0.
 */
final class Crc32Algebra {
  private static final int POLYNOMIAL = 0xEDB88320;

  /** The polynomial 1. */
  static final int ONE = 0x8000_0000;

  private Crc32Algebra() {}

  static int timesX(int a) {
    return a >>> 1 ^ (a & 1) * POLYNOMIAL;
  }

  static int dividedByX(int a) {
    return a < 0 ? (a ^ POLYNOMIAL) << 1 | 1 : a << 1;
  }

  static int multiply(int a, int b) {
    int product = 0;
    int power = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      product ^= rest >> 31 & power;
      power = timesX(power);
    }
    return product;
  }
}
