package io.vertxrdma.demos.chat.room;

/**
 * A line that was said in a room.
 *
 * @param sequence its number in the room, from 1
 * @param time when it was said, milliseconds since 1970
 * @param nick who said it
 * @param text the words
 */
public record Line(long sequence, long time, String nick, String text) {

  /** As a member hears it. */
  public ChatMessage message() {
    return ChatMessage.say(nick, text);
  }
}
