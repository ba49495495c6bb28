package io.vertxrdma.demos.chat.room;

/**
 * Where lines go besides the seats of this hub: to other hubs, for instance. What comes from there
 * is handed to {@link Hub#heard}, and does not come back here.
 */
@FunctionalInterface
public interface Elsewhere {

  /** Nowhere. */
  Elsewhere NOWHERE = (room, line) -> {};

  /** A member of this hub said a line in a room. */
  void said(String room, Line line);
}
