package io.vertxrdma.demos.chat;

import io.vertx.core.Future;

/** Takes what a member types, line by line, and leaves at the end. On a thread that may block. */
final class Talk implements Runnable {

  private final Console console;
  private final Printer printer;
  private final ChatMember member;

  Talk(Console console, Printer printer, ChatMember member) {
    this.console = console;
    this.printer = printer;
    this.member = member;
  }

  @Override
  public void run() {
    try {
      String line = console.readLine();
      while (line != null && !line.strip().equals("/quit")) {
        // One line at a time: when the hub is slow, so is the script that feeds us.
        act(line.strip()).await();
        line = console.readLine();
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
    if (line.equals("/who")) {
      return member.who();
    }
    printer.print("* there are only /who and /quit", () -> {});
    return Future.succeededFuture();
  }
}
