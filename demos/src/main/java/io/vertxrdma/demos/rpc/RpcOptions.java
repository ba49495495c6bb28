package io.vertxrdma.demos.rpc;

/**
 * What one end of a connection has of memory for the other's messages.
 *
 * @param slots calls open at once, 1..4096; of both ends the smaller number counts
 * @param slotSize bytes of a message that comes here, 64..1048576; all slots have at most 256 MiB
 */
public record RpcOptions(int slots, int slotSize) {

  /** 64 slots of 4096 bytes. */
  public static final RpcOptions DEFAULT = new RpcOptions(64, 4_096);

  /** Most slots. */
  static final int MAX_SLOTS = 4_096;

  /** The smallest slot: it holds every error's code and some text. */
  static final int MIN_SLOT_SIZE = 64;

  /** The largest slot. */
  static final int MAX_SLOT_SIZE = 1 << 20;

  /** Bytes of all slots. */
  static final int MAX_MEMORY = 1 << 28;

  /** Checks the ranges. */
  public RpcOptions {
    String objection = objectionTo(slots, slotSize);
    if (objection != null) {
      throw new IllegalArgumentException(objection);
    }
  }

  /** What is wrong with these numbers, or null. */
  static String objectionTo(int slots, int slotSize) {
    if (slots < 1 || slots > MAX_SLOTS) {
      return "slots must be 1.." + MAX_SLOTS + ", was " + slots;
    }
    int most = largestSlot(slots);
    return slotSize < MIN_SLOT_SIZE || slotSize > most
        ? "the size of "
            + slots
            + " slots must be "
            + MIN_SLOT_SIZE
            + ".."
            + most
            + ", was "
            + slotSize
        : null;
  }

  /** The largest size that so many slots may have. */
  static int largestSlot(int slots) {
    return Math.min(MAX_SLOT_SIZE, MAX_MEMORY / slots);
  }

  /** Bytes of all slots. */
  int memory() {
    return slots * slotSize;
  }
}
