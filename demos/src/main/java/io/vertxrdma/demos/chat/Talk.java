package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.demos.chat.room.Names;

/** Takes what a member types, line by line, and leaves at the end. On a thread that may block. */
final class Talk implements Runnable {

  private final Console console;
  private final Printer<Shown> printer;
  private final ChatMember member;

  Talk(Console console, Printer<Shown> printer, ChatMember member) {
    this.console = console;
    this.printer = printer;
    this.member = member;
  }

  @Override
  public void run() {
    try {
      String typed = console.readLine();
      while (typed != null && !typed.strip().equals("/quit")) {
        // Pasted text may have several lines, of which the terminal makes one.
        for (String line : typed.lines().toList()) {
          // One line at a time: when the hub is slow, so is the script that feeds us.
          act(line.strip()).await();
        }
        typed = console.readLine();
      }
    } catch (RuntimeException ended) {
      // The connection is over, which is told elsewhere.
      return;
    }
    member.leave();
  }

  private Future<Void> act(String line) {
    if (line.isEmpty()) {
      return Future.succeededFuture();
    }
    if (!line.startsWith("/")) {
      return member.say(line);
    }
    String[] words = line.split("\\s+", 2);
    return switch (words[0]) {
      case "/who" -> member.who();
      case "/rooms" -> member.rooms();
      case "/join" -> join(words.length == 1 ? "" : words[1]);
      default -> tell("there are /who, /rooms, /join ROOM and /quit");
    };
  }

  private Future<Void> join(String room) {
    String objection = room.isEmpty() ? null : Names.objectionToRoom(room);
    return objection == null ? member.enter(room) : tell(objection);
  }

  private Future<Void> tell(String text) {
    printer.print(Shown.notice(text), () -> {});
    return Future.succeededFuture();
  }
}
