package io.vertxrdma.demos.chat.room;

import java.util.ArrayList;
import java.util.List;

/** A seat that keeps what it hears. */
final class Listener implements Seat {

  private final String nick;
  final List<String> heard = new ArrayList<>();
  int presenceChanges;

  Listener(String nick) {
    this.nick = nick;
  }

  @Override
  public String nick() {
    return nick;
  }

  @Override
  public void entered(Room room) {
    heard.add("-> " + room.name());
  }

  @Override
  public void line(Line line) {
    heard.add(line.message().line());
  }

  @Override
  public void notice(String text) {
    heard.add("* " + text);
  }

  @Override
  public void presenceChanged() {
    presenceChanges++;
  }
}
