package io.vertxrdma.demos.chat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A terminal with line editing and history, whose prompt stays below what others say. */
final class TerminalConsole implements Console {

  private final Terminal terminal;
  private final LineReader reader;
  private final String prompt;

  TerminalConsole(String prompt) {
    try {
      terminal = TerminalBuilder.builder().system(true).build();
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal can't be opened", e);
    }
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            // What a person says may have '!' in it.
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    this.prompt = prompt;
  }

  /** Whether both standard input and standard output are a terminal. */
  static boolean isTerminal() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there is always a console, and it says itself whether it is a terminal.
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJava) {
      return true;
    }
  }

  @Override
  public String readLine() {
    try {
      return reader.readLine(prompt);
    } catch (UserInterruptException | EndOfFileException end) {
      return null;
    }
  }

  @Override
  public void print(String line) {
    reader.printAbove(line);
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      // The process is about to end; there is nothing left to restore.
      return;
    }
  }
}
