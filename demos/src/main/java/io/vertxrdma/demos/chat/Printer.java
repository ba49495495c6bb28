package io.vertxrdma.demos.chat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Shows lines in order on a thread of its own, so that a slow screen blocks no event loop. */
final class Printer<T> implements AutoCloseable {

  private static final long CLOSE_SECONDS = 2;

  private final Consumer<T> console;
  private final ExecutorService thread;

  /**
   * Starts a printer.
   *
   * @param limit lines that may wait; further ones are dropped
   */
  Printer(Consumer<T> console, int limit) {
    this.console = console;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(limit),
            task -> {
              Thread made = new Thread(task, "chat-printer");
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Shows a line.
   *
   * @param shown run afterwards
   */
  void print(T line, Runnable shown) {
    try {
      thread.execute(
          () -> {
            console.accept(line);
            shown.run();
          });
    } catch (RejectedExecutionException tooMany) {
      // Nobody is looking.
      shown.run();
    }
  }

  /** Waits, for a moment, for what is to be shown. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
