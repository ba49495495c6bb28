package io.vertxrdma.demos.chat.room;

/** A member's place at the hub, however the member is reached. */
public interface Seat {

  /** Who sits there. */
  String nick();

  /** It is in that room from now on; all that is sent to it afterwards comes from there. */
  void entered(Room room);

  /** Somebody said a line. Never blocks and never fails. */
  void line(Line line);

  /** The hub tells something. Never blocks and never fails. */
  void notice(String text);

  /** Whether it also hears what it says itself. */
  default boolean hearsItself() {
    return false;
  }

  /** Whether another hub has this member, which tells what it does to all hubs itself. */
  default boolean isRemote() {
    return false;
  }

  /** Who is in which room has changed. */
  default void presenceChanged() {}
}
