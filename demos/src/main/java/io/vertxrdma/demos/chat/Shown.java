package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.Line;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * What a member's screen shows.
 *
 * @param message the words
 * @param time when it was said, milliseconds since 1970, for a line of the history; 0 for now
 */
record Shown(ChatMessage message, long time) {

  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

  /** A message that has just come. */
  static Shown now(ChatMessage message) {
    return new Shown(message, 0);
  }

  /** A line that was said before the member came. */
  static Shown before(Line line) {
    return new Shown(line.message(), line.time());
  }

  /** A word of this program itself. */
  static Shown notice(String text) {
    return now(ChatMessage.notice(text));
  }

  /** Whether it was said before the member came. */
  boolean isHistory() {
    return time != 0;
  }

  /** The time of a line of the history in brackets; "" for what has just come. */
  String clock() {
    return isHistory()
        ? "[" + CLOCK.format(Instant.ofEpochMilli(time).atZone(ZoneId.systemDefault())) + "] "
        : "";
  }

  /** The line without colours. */
  String plain() {
    return clock() + message.line();
  }
}
