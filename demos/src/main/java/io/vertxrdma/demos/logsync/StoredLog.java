package io.vertxrdma.demos.logsync;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A log on disk: its bytes, and an index that says where each segment ends. Blocking; one thread at
 * a time.
 *
 * <p>After a crash whatever part of the last group may have reached the disk, in whatever order:
 * opening keeps the segments whose bytes are those that the index says, and cuts off the rest.
 *
 * <pre>
 * index   0 | magic 8 | first sequence 4 | CRC-32C of these 4 |
 * segment 0 | sequence 4 | length 4 | CRC-32C of the data 4 | CRC-32C of these 4 |
 * </pre>
 */
final class StoredLog implements Closeable {

  /** Bytes of the index's head, and of each segment's entry. */
  static final int ENTRY = 16;

  private static final long MAGIC = 0x4C4F_4753_594E_4331L;
  private static final int CHECKED = ENTRY - Integer.BYTES;

  private final FileChannel data;
  private final FileChannel index;
  private final CRC32C checksum = new CRC32C();
  private long nextSequence;
  private long segments;
  private long bytes;
  private long cut;
  private boolean broken;

  private StoredLog(FileChannel data, FileChannel index) {
    this.data = data;
    this.index = index;
  }

  /**
   * Opens or begins a log, and cuts off what is not whole.
   *
   * @param firstSequence of a log that is begun, 0..4294967295
   * @throws IOException when a file can't be read or written, or there are bytes without an index
   */
  static StoredLog open(Path dataFile, Path indexFile, long firstSequence) throws IOException {
    FileChannel data = openFile(dataFile);
    try {
      FileChannel index = openFile(indexFile);
      try {
        StoredLog log = new StoredLog(data, index);
        log.recover(dataFile, indexFile, firstSequence);
        return log;
      } catch (IOException | RuntimeException failure) {
        index.close();
        throw failure;
      }
    } catch (IOException | RuntimeException failure) {
      data.close();
      throw failure;
    }
  }

  private static FileChannel openFile(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  private void recover(Path dataFile, Path indexFile, long firstSequence) throws IOException {
    ByteBuffer entry = ByteBuffer.allocate(ENTRY);
    if (!readEntry(entry, 0) || entry.getLong(0) != MAGIC) {
      if (data.size() > 0) {
        throw new IOException(
            dataFile
                + " has "
                + data.size()
                + " bytes and no index "
                + indexFile
                + ": move it out of the way");
      }
      begin(entry, firstSequence);
      return;
    }
    nextSequence = Integer.toUnsignedLong(entry.getInt(8));
    ByteBuffer segment = ByteBuffer.allocate(0);
    while (readEntry(entry, ENTRY * (segments + 1))) {
      int length = entry.getInt(4);
      if (Integer.toUnsignedLong(entry.getInt(0)) != nextSequence
          || length < 1
          || length > data.size() - bytes) {
        break;
      }
      segment = segment.capacity() < length ? ByteBuffer.allocate(length) : segment;
      segment.clear().limit(length);
      if (!readFully(data, segment, bytes) || crc(segment.flip()) != entry.getInt(8)) {
        break;
      }
      checksum.update(segment.rewind());
      count(length);
    }
    cutOff();
  }

  private void begin(ByteBuffer entry, long firstSequence) throws IOException {
    nextSequence = firstSequence;
    index.truncate(0);
    entry.clear();
    sealed(entry.putLong(MAGIC).putInt((int) firstSequence));
    writeFully(index, entry.flip(), 0);
    index.force(true);
  }

  private void cutOff() throws IOException {
    cut = data.size() - bytes;
    long indexed = ENTRY * (segments + 1);
    if (cut > 0 || index.size() > indexed) {
      data.truncate(bytes);
      index.truncate(indexed);
      data.force(true);
      index.force(true);
    }
  }

  private boolean readEntry(ByteBuffer entry, long position) throws IOException {
    entry.clear();
    return readFully(index, entry, position)
        && crc(entry.slice(0, CHECKED)) == entry.getInt(CHECKED);
  }

  private static boolean readFully(FileChannel file, ByteBuffer into, long position)
      throws IOException {
    long at = position;
    while (into.hasRemaining()) {
      int count = file.read(into, at);
      if (count < 0) {
        return false;
      }
      at += count;
    }
    return true;
  }

  private static void writeFully(FileChannel file, ByteBuffer from, long position)
      throws IOException {
    long at = position;
    while (from.hasRemaining()) {
      at += file.write(from, at);
    }
  }

  /** Appends to an entry the checksum of what is in it. */
  private static void sealed(ByteBuffer entry) {
    entry.putInt(crc(entry.slice(entry.position() - CHECKED, CHECKED)));
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private void count(int length) {
    bytes += length;
    segments++;
    nextSequence = SequenceNumbers.advance(nextSequence, 1);
  }

  /**
   * Appends segments, which are durable when this returns.
   *
   * @param group their bytes, one after the other
   * @param lengths of each
   * @throws IOException when they could not be written; the log has to be opened anew then
   */
  void append(byte[] group, int[] lengths) throws IOException {
    if (broken) {
      throw new IOException("the log could not be written before");
    }
    broken = true;
    ByteBuffer entries = ByteBuffer.allocate(ENTRY * lengths.length);
    int offset = 0;
    for (int i = 0; i < lengths.length; i++) {
      entries.putInt((int) SequenceNumbers.advance(nextSequence, i)).putInt(lengths[i]);
      sealed(entries.putInt(crc(ByteBuffer.wrap(group, offset, lengths[i]))));
      offset += lengths[i];
    }
    writeFully(data, ByteBuffer.wrap(group, 0, offset), bytes);
    writeFully(index, entries.flip(), ENTRY * (segments + 1));
    data.force(false);
    index.force(false);
    checksum.update(group, 0, offset);
    for (int length : lengths) {
      count(length);
    }
    broken = false;
  }

  /** The sequence number of the next segment. */
  long nextSequence() {
    return nextSequence;
  }

  /** Segments that are durable. */
  long segments() {
    return segments;
  }

  /** Bytes that are durable. */
  long bytes() {
    return bytes;
  }

  /** CRC-32C of all of them. */
  int checksum() {
    return (int) checksum.getValue();
  }

  /** Bytes that were cut off when it was opened. */
  long cut() {
    return cut;
  }

  @Override
  public void close() throws IOException {
    try (data;
        index) {
      broken = true;
    }
  }
}
