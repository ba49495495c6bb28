package io.vertxrdma.demos.logsync;

import io.vertxrdma.reactive.RegisteredBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** The file a client ships, read from where the server has it. Blocking; one thread at a time. */
final class LogSource implements Closeable {

  private static final int CHUNK = 1 << 16;

  private final FileChannel file;
  private long position;

  private LogSource(FileChannel file) {
    this.file = file;
  }

  /**
   * Opens a file.
   *
   * @param durable bytes that the server has
   * @param checksum CRC-32C of these
   * @throws IOException when it can't be read, or does not begin with the bytes the server has
   */
  static LogSource open(Path path, long durable, int checksum) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    try {
      if (file.size() < durable) {
        throw new IOException(
            path
                + " has "
                + file.size()
                + " bytes, and the server has "
                + durable
                + " of a log of that name: not the same log");
      }
      if (checksum(file, durable) != checksum) {
        throw new IOException(
            path
                + " does not begin with the "
                + durable
                + " bytes that the server has of a log of that name: not the same log");
      }
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
    LogSource source = new LogSource(file);
    source.position = durable;
    return source;
  }

  private static int checksum(FileChannel file, long length) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    for (long at = 0; at < length; at += chunk.limit()) {
      chunk.clear().limit((int) Math.min(CHUNK, length - at));
      int count = file.read(chunk, at);
      if (count < 0) {
        throw new IOException("the file became shorter while it was read");
      }
      crc.update(chunk.flip());
    }
    return (int) crc.getValue();
  }

  /**
   * Reads the next bytes into slots of registered memory.
   *
   * @param offsets where each slot starts
   * @return bytes in each; less than the slot's size, or 0, at the end of the file
   */
  int[] read(RegisteredBuffer memory, int[] offsets, int slotSize) throws IOException {
    int[] lengths = new int[offsets.length];
    ByteBuffer view = memory.byteBuffer();
    for (int i = 0; i < offsets.length; i++) {
      ByteBuffer slot = view.slice(offsets[i], slotSize);
      while (slot.hasRemaining()) {
        int count = file.read(slot, position);
        if (count < 0) {
          lengths[i] = slot.position();
          return lengths;
        }
        position += count;
      }
      lengths[i] = slotSize;
    }
    return lengths;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
