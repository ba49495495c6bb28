package io.vertxrdma.demos.chat.room;

import java.util.Locale;
import java.util.regex.Pattern;

/** What nicknames and rooms may be called. */
public final class Names {

  /** Bytes of a nickname. */
  public static final int MAX_NICK = 24;

  /** Bytes of a room's name. */
  public static final int MAX_ROOM = 64;

  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_.-]+");

  private Names() {}

  /** What is wrong with a nickname, or null. */
  public static String objectionToNick(String nick) {
    return objectionTo("nickname", nick, MAX_NICK);
  }

  /** What is wrong with a room's name, or null. */
  public static String objectionToRoom(String room) {
    return objectionTo("room's name", room, MAX_ROOM);
  }

  private static String objectionTo(String what, String name, int maxBytes) {
    if (!NAME.matcher(name).matches()) {
      return "a " + what + " has letters, digits, '.', '_' and '-'";
    }
    int length = Utf8.length(name);
    return length > maxBytes
        ? "a " + what + " has at most " + maxBytes + " bytes, this has " + length
        : null;
  }

  /** Names that differ in upper and lower case only are the same. */
  static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
