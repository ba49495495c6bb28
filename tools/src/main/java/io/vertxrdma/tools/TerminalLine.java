package io.vertxrdma.tools;

import java.io.Console;
import java.io.PrintWriter;

/** One line of a terminal that says how far a command is, and that is gone at the end. */
public final class TerminalLine {

  private static final int COLUMNS = 60;

  private final PrintWriter terminal;
  private boolean shown;
  private boolean over;

  private TerminalLine(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /** Says nothing. */
  public static TerminalLine none() {
    return new TerminalLine(null);
  }

  /** Says it there if that is a terminal, as far as Java can know. */
  public static TerminalLine onTerminal(PrintWriter err) {
    if (!isTerminal(System.console())) {
      return none();
    }
    TerminalLine line = on(err);
    // Also after Ctrl-C the prompt comes on an empty line.
    Runtime.getRuntime().addShutdownHook(new Thread(line::end));
    return line;
  }

  private synchronized void end() {
    over = true;
    clear();
  }

  /** Says it there. */
  public static TerminalLine on(PrintWriter terminal) {
    return new TerminalLine(terminal);
  }

  /** Since Java 22 there may be a console without a terminal, and a method to tell. */
  private static boolean isTerminal(Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException older) {
      return true;
    } catch (ReflectiveOperationException refused) {
      return false;
    }
  }

  /** Whether what is shown is seen. */
  public boolean isSeen() {
    return terminal != null;
  }

  /** Shows a text of at most 60 characters instead of the last one. */
  public synchronized void show(String text) {
    if (terminal != null && !over) {
      shown = true;
      terminal.print('\r' + text + " ".repeat(Math.max(0, COLUMNS - text.length())));
      terminal.flush();
    }
  }

  /** Leaves no trace. */
  public synchronized void clear() {
    if (shown) {
      shown = false;
      terminal.print('\r' + " ".repeat(COLUMNS) + '\r');
      terminal.flush();
    }
  }
}
