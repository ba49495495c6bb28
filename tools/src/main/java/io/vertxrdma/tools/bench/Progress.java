package io.vertxrdma.tools.bench;

import io.vertx.core.Vertx;
import io.vertxrdma.tools.TerminalLine;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Says how far a measurement is, on one line of a terminal that is gone at the end. */
public final class Progress {

  private static final long EVERY_MILLIS = 500;

  private final TerminalLine line;
  private long timer;

  private Progress(TerminalLine line) {
    this.line = line;
  }

  /** Says nothing. */
  public static Progress none() {
    return new Progress(TerminalLine.none());
  }

  /** Says it there if that is a terminal, as far as Java can know. */
  public static Progress onTerminal(PrintWriter err) {
    return new Progress(TerminalLine.onTerminal(err));
  }

  /** Says it there. */
  public static Progress on(PrintWriter terminal) {
    return new Progress(TerminalLine.on(terminal));
  }

  /** Says it from now on. */
  public void start(Vertx vertx, IntSupplier done, int count) {
    if (line.isSeen()) {
      timer = vertx.setPeriodic(EVERY_MILLIS, tick -> show(done.getAsInt(), count));
    }
  }

  /** Says that so many are done. */
  public void show(int done, int count) {
    line.show(String.format(Locale.ROOT, "%d of %d, %d%%", done, count, 100L * done / count));
  }

  /** Says no more, and leaves no trace. */
  public void end(Vertx vertx) {
    if (line.isSeen()) {
      vertx.cancelTimer(timer);
    }
    line.clear();
  }
}
