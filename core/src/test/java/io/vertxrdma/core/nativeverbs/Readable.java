package io.vertxrdma.core.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.LibraryLoader;

/** Asks the operating system whether a descriptor is readable, as an event loop would. */
final class Readable {

  private static final short POLLIN = 1;

  private static final Poll POLL = LibraryLoader.create(Poll.class).load("c");

  private Readable() {}

  /** poll(2). */
  public interface Poll {

    /** poll(2) with an array of one struct pollfd. */
    int poll(ByteBuffer descriptors, long count, int timeout);
  }

  static boolean now(int fd) {
    ByteBuffer one = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
    one.putInt(0, fd).putShort(4, POLLIN);
    return POLL.poll(one, 1, 0) == 1 && one.getShort(6) == POLLIN;
  }
}
