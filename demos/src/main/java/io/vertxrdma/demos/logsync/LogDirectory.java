package io.vertxrdma.demos.logsync;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A directory of logs, of one server at a time: each log is a file of its name, its index lies in
 * {@code .logsync}. Blocking.
 */
final class LogDirectory implements Closeable {

  private final Path logs;
  private final Path indexes;
  private final long firstSequence;
  private final FileChannel lock;

  private LogDirectory(Path logs, Path indexes, long firstSequence, FileChannel lock) {
    this.logs = logs;
    this.indexes = indexes;
    this.firstSequence = firstSequence;
    this.lock = lock;
  }

  /**
   * Opens it, and makes it if need be.
   *
   * @param firstSequence of logs that are begun, 0..4294967295
   * @throws IOException also when another server uses it
   */
  static LogDirectory open(Path directory, long firstSequence) throws IOException {
    Path indexes = Files.createDirectories(directory.resolve(".logsync"));
    FileChannel lock =
        FileChannel.open(
            indexes.resolve(".lock"), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    if (!tryLock(lock)) {
      lock.close();
      throw new IOException("another server uses the directory " + directory);
    }
    return new LogDirectory(directory, indexes, firstSequence, lock);
  }

  private static boolean tryLock(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException sameProcess) {
      return false;
    }
  }

  /**
   * Opens a log, and begins it if need be.
   *
   * @param name one that {@link Greeting#objectionTo} has nothing against
   */
  StoredLog openLog(String name) throws IOException {
    Path data = logs.resolve(name);
    boolean begins = Files.notExists(data);
    StoredLog log = StoredLog.open(data, indexes.resolve(name), firstSequence);
    if (begins) {
      sync(indexes);
      sync(logs);
    }
    return log;
  }

  /** Makes the names of new files durable, where the system lets a directory be opened. */
  private static void sync(Path directory) throws IOException {
    try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
