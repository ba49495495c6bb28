package io.vertxrdma.demos.chat;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A room: who is in it, and who hears what. On one event loop. */
final class Hub {

  /** A member's place. */
  interface Seat {
    /** Who sits there. */
    String nick();

    /** Sends; never blocks and never fails. */
    void send(ChatMessage message);
  }

  private final String room;
  private final Consumer<String> screen;
  private final Set<String> reserved = new HashSet<>();
  private final Map<String, Seat> seats = new LinkedHashMap<>();

  /**
   * Makes an empty room.
   *
   * @param screen gets every line there is to see at the hub
   */
  Hub(String room, Consumer<String> screen) {
    this.room = room;
    this.screen = screen;
  }

  String room() {
    return room;
  }

  /** Keeps a nickname for somebody who is joining; false when another has it. */
  boolean reserve(String nick) {
    return reserved.add(key(nick));
  }

  /** Frees the nickname of somebody who did not come in after all. */
  void release(String nick) {
    reserved.remove(key(nick));
  }

  /** Somebody whose nickname is reserved comes in. */
  void join(Seat seat) {
    tellOthers(seat, ChatMessage.notice(seat.nick() + " joined"));
    seats.put(key(seat.nick()), seat);
    seat.send(ChatMessage.notice("welcome to " + room + "; " + who()));
    screen.accept("* " + seat.nick() + " joined, " + seats.size() + " here");
  }

  /** Somebody is gone. */
  void leave(Seat seat) {
    if (seats.remove(key(seat.nick()), seat)) {
      release(seat.nick());
      tellOthers(seat, ChatMessage.notice(seat.nick() + " left"));
      screen.accept("* " + seat.nick() + " left, " + seats.size() + " here");
    }
  }

  /**
   * A member's message.
   *
   * @throws ProtocolException for one that members don't send
   */
  void received(Seat from, ChatMessage message) {
    switch (message.kind()) {
      case SAY -> {
        ChatMessage said = ChatMessage.say(from.nick(), message.text());
        tellOthers(from, said);
        screen.accept(said.line());
      }
      case WHO -> from.send(ChatMessage.notice(who()));
      case NOTICE -> throw new ProtocolException("a notice of a member");
    }
  }

  private void tellOthers(Seat from, ChatMessage message) {
    for (Seat seat : seats.values()) {
      if (seat != from) {
        seat.send(message);
      }
    }
  }

  private String who() {
    return "here: " + String.join(", ", seats.values().stream().map(Seat::nick).toList());
  }

  private static String key(String nick) {
    return nick.toLowerCase(Locale.ROOT);
  }
}
