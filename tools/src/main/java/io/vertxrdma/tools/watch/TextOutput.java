package io.vertxrdma.tools.watch;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.tools.TextColumns;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** Tells in text for a terminal: a line for an event, a paragraph for the counters of a port. */
final class TextOutput implements WatchOutput {

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  /** Under the text behind the time. */
  private static final int INDENT = 10;

  private static final double DECIMALS_BELOW = 100;

  private final PrintWriter out;
  private final String rhythm;
  private final boolean soft;
  private boolean quiet = true;

  /**
   * Makes it.
   *
   * @param rhythm how often counters are read, for a person
   * @param soft whether soft devices are watched
   */
  TextOutput(PrintWriter out, String rhythm, boolean soft) {
    this.out = out;
    this.rhythm = rhythm;
    this.soft = soft;
  }

  @Override
  public void watching(Instant time, List<String> devices) {
    String names = devices.isEmpty() ? "no device yet" : String.join(", ", devices);
    out.println(TextColumns.wrapped("Watching " + names + ", " + rhythm + ".", 0));
    if (soft) {
      out.println(
          "Soft devices live in the process that uses them: of them, only what this one"
              + System.lineSeparator()
              + "does is seen.");
    }
    out.flush();
  }

  @Override
  public void appeared(Instant time, String provider, String device) {
    say(time, device + ": there is now this " + provider + " device");
  }

  @Override
  public void gone(Instant time, String provider, String device) {
    say(time, device + ": this " + provider + " device is gone");
  }

  @Override
  public void event(Instant time, String provider, AsyncEvent event) {
    String about =
        event.port() == 0 ? event.device().name() : port(event.device().name(), event.port());
    say(time, about + ": " + event.type().text() + " (" + event.type().nativeName() + ")");
  }

  @Override
  public void moved(
      Instant time,
      String provider,
      String device,
      int port,
      SortedMap<String, Long> moved,
      double seconds) {
    StringBuilder text = new StringBuilder(port(device, port));
    moved.forEach(
        (name, difference) ->
            text.append(System.lineSeparator())
                .append(" ".repeat(INDENT))
                .append(
                    String.format(
                        Locale.ROOT,
                        "%-36s %15s %14s/s",
                        name,
                        "+" + Long.toUnsignedString(difference),
                        rate(difference, seconds))));
    print(time, text.toString());
  }

  private static String rate(long difference, double seconds) {
    double rate = Double.parseDouble(Long.toUnsignedString(difference)) / seconds;
    return String.format(Locale.ROOT, rate < DECIMALS_BELOW ? "%.1f" : "%.0f", rate);
  }

  @Override
  public void unreadable(Instant time, String provider, String reason) {
    say(time, "the devices of the " + provider + " provider can't be read: " + reason);
  }

  @Override
  public void ended() {
    if (quiet) {
      out.println("Nothing moved.");
      out.flush();
    }
  }

  private static String port(String device, int port) {
    return device + " port " + port;
  }

  private void say(Instant time, String sentence) {
    print(time, TextColumns.wrapped(sentence, INDENT));
  }

  private void print(Instant time, String text) {
    quiet = false;
    out.println(TIME_OF_DAY.format(time) + "  " + text);
    out.flush();
  }
}
