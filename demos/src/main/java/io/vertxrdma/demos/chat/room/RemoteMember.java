package io.vertxrdma.demos.chat.room;

/** A member of another hub: it is seen here, and hears from there what is said here. */
public final class RemoteMember implements Seat {

  private final String nick;

  private RemoteMember(String nick) {
    this.nick = nick;
  }

  /**
   * A member whose nickname is reserved here, too. One that somebody else has got a number: both
   * came at the same time, or while the hubs did not see each other.
   */
  static RemoteMember of(Hub hub, String nick) {
    String free = nick;
    for (int number = 2; !hub.reserve(free); number++) {
      // No member can choose such a name.
      String suffix = "~" + number;
      free = Utf8.split(nick, Names.MAX_NICK - suffix.length()).get(0) + suffix;
    }
    return new RemoteMember(free);
  }

  @Override
  public String nick() {
    return nick;
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public void entered(Room room) {}

  @Override
  public void line(Line line) {}

  @Override
  public void notice(String text) {}
}
