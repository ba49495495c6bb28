package io.vertxrdma.tools.bench;

import io.vertx.core.Vertx;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Says how far a measurement is, on one line of a terminal that is gone at the end. */
final class Progress {

  private static final long EVERY_MILLIS = 500;
  private static final int COLUMNS = 60;

  private final PrintWriter terminal;
  private long timer;
  private boolean shown;

  private Progress(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /** Says nothing. */
  static Progress none() {
    return new Progress(null);
  }

  /** Says it there if that is a terminal, as far as Java can know. */
  static Progress onTerminal(PrintWriter err) {
    return isTerminal(System.console()) ? on(err) : none();
  }

  /** Says it there. */
  static Progress on(PrintWriter terminal) {
    return new Progress(terminal);
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

  /** Says it from now on. */
  void start(Vertx vertx, IntSupplier done, int count) {
    if (terminal != null) {
      timer = vertx.setPeriodic(EVERY_MILLIS, tick -> show(done.getAsInt(), count));
    }
  }

  void show(int done, int count) {
    shown = true;
    String line = String.format(Locale.ROOT, "%d of %d, %d%%", done, count, 100L * done / count);
    terminal.print('\r' + line + " ".repeat(Math.max(0, COLUMNS - line.length())));
    terminal.flush();
  }

  /** Says no more, and leaves no trace. */
  void end(Vertx vertx) {
    if (terminal != null) {
      vertx.cancelTimer(timer);
    }
    if (shown) {
      terminal.print('\r' + " ".repeat(COLUMNS) + '\r');
      terminal.flush();
    }
  }
}
