package io.vertxrdma.demos.chat.room;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** All rooms: who is where, and who hears what. On one event loop. */
public final class Hub {

  /** Rooms there may be: each keeps its last lines in memory as long as the hub runs. */
  public static final int MAX_ROOMS = 64;

  private final Room first;
  private final int historySize;
  private final Consumer<String> screen;
  private final Clock clock;
  private final Set<String> reserved = new HashSet<>();
  private final Map<String, Room> rooms = new LinkedHashMap<>();
  private final Map<Seat, Room> places = new LinkedHashMap<>();
  private Elsewhere elsewhere = Elsewhere.NOWHERE;

  /**
   * Makes a hub with one room, which is empty.
   *
   * @param room its name
   * @param historySize lines that each room keeps, 0 or more
   * @param clock what time it is
   * @param screen gets every line there is to see at the hub
   */
  public Hub(String room, int historySize, Clock clock, Consumer<String> screen) {
    this.historySize = historySize;
    this.clock = clock;
    this.screen = screen;
    this.first = room(room);
  }

  /** Sets where it is told what members of this hub do. */
  public void setElsewhere(Elsewhere elsewhere) {
    this.elsewhere = elsewhere;
  }

  /** The rooms, the first one first. */
  public List<Room> rooms() {
    return List.copyOf(rooms.values());
  }

  /** The room of those who name none. */
  public Room firstRoom() {
    return first;
  }

  /**
   * A room, which is made when there is none of that name.
   *
   * @param name "" for the first
   * @throws ProtocolException for a name that is none, or one room too many
   */
  public Room room(String name) {
    if (name.isEmpty()) {
      return first;
    }
    Room known = rooms.get(Names.key(name));
    if (known != null) {
      return known;
    }
    String objection = Names.objectionToRoom(name);
    if (objection != null) {
      throw new ProtocolException(objection);
    }
    if (rooms.size() == MAX_ROOMS) {
      throw new ProtocolException("there are " + MAX_ROOMS + " rooms, and no more may be made");
    }
    Room made = new Room(name, historySize);
    rooms.put(Names.key(name), made);
    return made;
  }

  /** Keeps a nickname for somebody who is joining; false when another has it. */
  public boolean reserve(String nick) {
    return reserved.add(Names.key(nick));
  }

  /** Frees the nickname of somebody who did not come in after all. */
  public void release(String nick) {
    reserved.remove(Names.key(nick));
  }

  /** Somebody whose nickname is reserved goes to a room, from outside or from another room. */
  public void enter(Seat seat, Room room) {
    Room before = places.get(seat);
    if (before == room) {
      seat.notice("you are in " + room.name() + " already");
      return;
    }
    if (before != null) {
      out(seat, before, seat.nick() + " went to " + room.name());
    }
    noticeToAll(room, seat.nick() + " joined");
    room.put(seat);
    places.put(seat, room);
    seat.entered(room);
    seat.notice("welcome to " + room.name() + "; " + who(room));
    show(room, "* " + seat.nick() + " joined, " + room.members().size() + " here");
    presenceChanged();
    if (!seat.isRemote()) {
      elsewhere.entered(seat.nick(), room);
    }
  }

  /** Takes somebody out of its room who goes where this hub can't see it. */
  void vanish(Seat seat) {
    Room room = places.remove(seat);
    if (room != null) {
      out(seat, room, seat.nick() + " went elsewhere");
      presenceChanged();
    }
  }

  /** Tells of the members of this hub that are in a room, not of those of others. */
  public void here(BiConsumer<String, Room> each) {
    places.forEach(
        (seat, room) -> {
          if (!seat.isRemote()) {
            each.accept(seat.nick(), room);
          }
        });
  }

  /**
   * Somebody is gone, who was in a room or only had a nickname reserved. To be called once.
   *
   * @param lost why the connection was lost; null for somebody who said goodbye
   */
  public void leave(Seat seat, String lost) {
    Room room = places.remove(seat);
    release(seat.nick());
    if (room != null) {
      out(seat, room, seat.nick() + (lost == null ? " left" : " is gone: " + lost));
      presenceChanged();
      if (!seat.isRemote()) {
        elsewhere.left(seat.nick(), lost);
      }
    }
  }

  private void out(Seat seat, Room room, String words) {
    room.remove(seat);
    noticeToAll(room, words);
    show(room, "* " + words + ", " + room.members().size() + " here");
  }

  /** A member says something. */
  public void say(Seat from, String text) {
    Room room = places.get(from);
    if (room == null) {
      from.notice("you are in no room yet");
      return;
    }
    Line line = room.add(from.nick(), text, clock.millis());
    tell(room, line, from.hearsItself() ? null : from);
    if (!from.isRemote()) {
      elsewhere.said(from.nick(), text);
    }
  }

  private void tell(Room room, Line line, Seat except) {
    for (Seat seat : room.seats()) {
      if (seat != except) {
        seat.line(line);
      }
    }
    show(room, line.message().line());
  }

  /** Tells a member who is in its room. */
  public void who(Seat asking) {
    Room room = places.get(asking);
    asking.notice(room == null ? "you are in no room yet" : who(room));
  }

  /** Tells a member which rooms there are. */
  public void rooms(Seat asking) {
    List<String> names = new ArrayList<>();
    rooms.values().forEach(room -> names.add(room.name() + " (" + room.members().size() + ")"));
    asking.notice("rooms: " + String.join(", ", names));
  }

  private void noticeToAll(Room room, String text) {
    room.seats().forEach(seat -> seat.notice(text));
  }

  private void presenceChanged() {
    List.copyOf(places.keySet()).forEach(Seat::presenceChanged);
  }

  private void show(Room room, String line) {
    screen.accept(room == first ? line : "[" + room.name() + "] " + line);
  }

  private static String who(Room room) {
    return "here: " + String.join(", ", room.members());
  }
}
