package io.vertxrdma.systemtests.interop;

/**
 * What the C peer and {@link OperationsPeer} do to each other's memory, and what each operation has
 * to find there: constants that both programs have.
 */
final class Operations {

  /** Of each kind, posted at once: more than may be outstanding. */
  static final int ATOMICS = 24;

  static final int OUTSTANDING = 16;
  static final int SENDS = 20;

  /** Bytes of the longest message. */
  static final int MESSAGE = 3000;

  static final int FIRST_IMMEDIATE = 0x8000_0001;
  static final int FAREWELL = 0xFEED_BEEF;

  /** Where the memory for the peer has its counter, its cell and its pattern. */
  static final int COUNTER = 0;

  static final int CELL = 8;
  static final int PATTERN = 4096;
  static final int PATTERN_LENGTH = 1 << 15;
  static final int SHARED = PATTERN + PATTERN_LENGTH;

  /** So that it wraps. */
  static final long COUNTER_START = -10;

  static final long CELL_START = 0x0123_4567_89AB_CDEFL;
  private static final long CELL_STEP = 0x1111_1111_1111_1111L;

  private static final int[] READ_LENGTHS = {1, 1023, 1024, 1025, 0, PATTERN_LENGTH};

  private Operations() {}

  /** Bytes of each read of the pattern. */
  static int[] readLengths() {
    return READ_LENGTHS.clone();
  }

  static byte pattern(boolean server, int index) {
    return (byte) (index * 7 + (index >> 8) + (server ? 13 : 0));
  }

  static byte messageByte(int message, int index) {
    return (byte) (message * 31 + index * 3 + (index >> 8));
  }

  /** From nothing to the longest. */
  static int messageLength(int message) {
    return message * MESSAGE / (SENDS - 1);
  }

  static boolean hasImmediate(int message) {
    return message % 2 != 0;
  }

  static long counterAfter(int adds) {
    return COUNTER_START + (long) adds * (adds + 1) / 2;
  }

  /** Every second swap compares with something else, and changes nothing. */
  static long cellAfter(int swaps) {
    return CELL_START + CELL_STEP * ((swaps + 1) / 2);
  }
}
