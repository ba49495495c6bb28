package io.vertxrdma.demos.rpc;

/**
 * Hands out the ids of calls, each of which stands for a slot: the id modulo the number of slots.
 *
 * <p>An id is free again when its call was answered, whatever the caller did meanwhile, so no
 * answer can be taken for another call's. And each time a slot is used its id is another one, until
 * all 24 bits are used up: an answer that comes twice is noticed.
 */
final class CallIds {

  private static final int SPACE = 1 << 24;

  private final int slots;
  private final int turns;
  private final int[] turn;
  private final int[] free;
  private int first;
  private int count;

  CallIds(int slots) {
    this.slots = slots;
    this.turns = SPACE / slots;
    this.turn = new int[slots];
    this.free = new int[slots];
    for (int slot = 0; slot < slots; slot++) {
      free[count++] = slot;
    }
  }

  /** Ids that can be taken. */
  int free() {
    return count;
  }

  /**
   * Takes an id, that of the slot which has been free for longest.
   *
   * @return 0..16777215
   */
  int take() {
    if (count == 0) {
      throw new IllegalStateException("all " + slots + " slots are in use");
    }
    int slot = free[first];
    first = (first + 1) % slots;
    count--;
    return turn[slot] * slots + slot;
  }

  /** Gives an id back that was taken. */
  void giveBack(int id) {
    int slot = slot(id);
    turn[slot] = (turn[slot] + 1) % turns;
    free[(first + count) % slots] = slot;
    count++;
  }

  /** The slot of an id, also of one that was never taken. */
  int slot(int id) {
    return id % slots;
  }
}
