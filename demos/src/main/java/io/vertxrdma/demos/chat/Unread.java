package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ProtocolException;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Messages of a link that were not acted on yet, in order. What waits here holds its slot, so that
 * not much can wait.
 */
final class Unread {

  private final ChatLink link;
  private final Predicate<ChatMessage> ready;
  private final Consumer<ChatMessage> action;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** A message, and how to give its slot back. */
  private record Waiting(ChatMessage message, Runnable read) {}

  /**
   * Nothing waits yet.
   *
   * @param ready whether a message can be acted on now
   * @param action acts on it; a ProtocolException ends the link
   */
  Unread(ChatLink link, Predicate<ChatMessage> ready, Consumer<ChatMessage> action) {
    this.link = link;
    this.ready = ready;
    this.action = action;
  }

  /** A message has come. */
  void add(ChatMessage message, Runnable read) {
    waiting.add(new Waiting(message, read));
    act();
  }

  /** Acts on what waits, as far as that is possible now. */
  void act() {
    while (!waiting.isEmpty() && ready.test(waiting.peek().message())) {
      Waiting next = waiting.remove();
      next.read().run();
      try {
        action.accept(next.message());
      } catch (ProtocolException violation) {
        link.violated(violation);
      }
    }
  }
}
