package io.vertxrdma.demos.chat.room;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A room: who is in it, and its last lines. */
public final class Room {

  private final String name;
  private final int historySize;
  private final ArrayDeque<Line> history = new ArrayDeque<>();
  private final Map<String, Seat> seats = new LinkedHashMap<>();
  private final List<Predicate<Line>> copies = new ArrayList<>();
  private long next = 1;

  Room(String name, int historySize) {
    this.name = name;
    this.historySize = historySize;
  }

  /** Its name, as the first who named it wrote it. */
  public String name() {
    return name;
  }

  /** Lines it keeps at most. */
  public int historySize() {
    return historySize;
  }

  /** The lines it has kept, the oldest first. */
  public List<Line> history() {
    return List.copyOf(history);
  }

  /** The number that the next line will have. */
  public long next() {
    return next;
  }

  /** Who is in it, in the order in which they came. */
  public List<String> members() {
    return seats.values().stream().map(Seat::nick).toList();
  }

  /**
   * Keeps a copy of the history elsewhere: it gets the lines there are, and then each as it is
   * said, before anybody hears it.
   *
   * @param copy takes a line; false when it takes no more
   */
  public void copyTo(Predicate<Line> copy) {
    if (history.stream().allMatch(copy)) {
      copies.add(copy);
    }
  }

  Line add(String nick, String text, long time) {
    Line line = new Line(next++, time, nick, text);
    if (historySize > 0) {
      if (history.size() == historySize) {
        history.remove();
      }
      history.add(line);
    }
    copies.removeIf(copy -> !copy.test(line));
    return line;
  }

  /**
   * Takes over what was said in this room at another hub, if nothing was said here yet.
   *
   * @param lines the oldest first; they get numbers of this hub
   * @return whether they were taken
   */
  public boolean takeOver(List<Line> lines) {
    if (next != 1) {
      return false;
    }
    lines.forEach(line -> add(line.nick(), line.text(), line.time()));
    return true;
  }

  void put(Seat seat) {
    seats.put(Names.key(seat.nick()), seat);
  }

  void remove(Seat seat) {
    seats.remove(Names.key(seat.nick()), seat);
  }

  Collection<Seat> seats() {
    return List.copyOf(seats.values());
  }
}
