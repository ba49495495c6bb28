package io.vertxrdma.demos.chat.room;

/**
 * Where it is told what the members of this hub do: to other hubs, for instance. What comes from
 * there comes with a {@link Neighbour}, and does not come back here.
 */
public interface Elsewhere {

  /** Nowhere. */
  Elsewhere NOWHERE =
      new Elsewhere() {
        @Override
        public void said(String nick, String text) {}

        @Override
        public void entered(String nick, Room room) {}

        @Override
        public void left(String nick, String lost) {}
      };

  /** A member of this hub said something in the room it is in. */
  void said(String nick, String text);

  /** A member of this hub is in that room now, from outside or from another room. */
  void entered(String nick, Room room);

  /**
   * A member of this hub is gone.
   *
   * @param lost why its connection was lost; null for one that said goodbye
   */
  void left(String nick, String lost);
}
