package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ChatMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** A terminal with line editing and history, whose prompt stays below what others say. */
final class TerminalConsole implements Console {

  private final Terminal terminal;
  private final LineReader reader;
  private final boolean colours = System.getenv("NO_COLOR") == null;
  private volatile String prompt;

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
  public void setPrompt(String prompt) {
    this.prompt = prompt;
    // The line that is being typed keeps its prompt otherwise.
    if (reader instanceof LineReaderImpl typing) {
      typing.setPrompt(prompt);
    }
  }

  @Override
  public void print(Shown what) {
    if (colours) {
      reader.printAbove(coloured(what));
    } else {
      reader.printAbove(what.plain());
    }
  }

  static AttributedString coloured(Shown what) {
    ChatMessage message = what.message();
    AttributedStyle base =
        what.isHistory() ? AttributedStyle.DEFAULT.faint() : AttributedStyle.DEFAULT;
    AttributedStringBuilder line = new AttributedStringBuilder().styled(base, what.clock());
    switch (message.kind()) {
      case SAY ->
          line.styled(base.bold().foreground(colourOf(message.nick())), message.nick())
              .styled(base, ": " + message.text());
      case GAP -> line.styled(base.foreground(AttributedStyle.YELLOW), message.line());
      default -> line.styled(base.foreground(AttributedStyle.CYAN), message.line());
    }
    return line.toAttributedString();
  }

  /** The same for the same nickname; red, yellow and cyan mean something else here. */
  private static int colourOf(String nick) {
    int[] colours = {
      AttributedStyle.GREEN,
      AttributedStyle.BLUE + AttributedStyle.BRIGHT,
      AttributedStyle.MAGENTA,
      AttributedStyle.GREEN + AttributedStyle.BRIGHT,
      AttributedStyle.MAGENTA + AttributedStyle.BRIGHT
    };
    return colours[Math.floorMod(nick.hashCode(), colours.length)];
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
