package io.vertxrdma.demos.logsync;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a client has counted, over all logs. On the event loop. */
final class ClientFigures {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MIB = 1 << 20;

  private final int files;
  private final long began = System.nanoTime();
  private long longestPause;
  private long segments;
  private long bytes;
  private long found;
  private long reconnects;
  private int complete;

  ClientFigures(int files) {
    this.files = files;
  }

  /** Segments became durable. */
  void durable(int count, long length) {
    segments += count;
    bytes += length;
  }

  /** A file is durable to its end. */
  void complete() {
    complete++;
  }

  /** A connection was lost. */
  void reconnect() {
    reconnects++;
  }

  /** A connection's longest time without a completion. */
  void pause(long nanos) {
    longestPause = Math.max(longestPause, nanos);
  }

  /** The server had so many bytes of a file when it was asked first. */
  void found(long length) {
    found += length;
  }

  /** Bytes that are durable: found and shipped. */
  long durableBytes() {
    return found + bytes;
  }

  private double seconds() {
    return (System.nanoTime() - began) / NANOS_PER_SECOND;
  }

  /** One line for a person. */
  String sentence() {
    return String.format(
        Locale.ROOT,
        "%d of %d files durable; %d bytes in %d segments shipped in %.2f s, %.1f MiB/s;"
            + " longest pause %d ms",
        complete,
        files,
        bytes,
        segments,
        seconds(),
        bytes / MIB / seconds(),
        TimeUnit.NANOSECONDS.toMillis(longestPause));
  }

  JsonObject json() {
    return new JsonObject()
        .put("files", files)
        .put("complete", complete)
        .put("bytes", bytes)
        .put("segments", segments)
        .put("reconnects", reconnects)
        .put("nanos", System.nanoTime() - began)
        .put("longestPauseNanos", longestPause);
  }
}
