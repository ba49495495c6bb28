package io.vertxrdma.core.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A real descriptor (an eventfd) that polls readable, level-triggered, as long as its queue in the
 * fake has something.
 */
final class FakeDescriptor {

  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 04000;

  private final int fd = FakeLibc.LIBC.eventfd(0, 0);
  private boolean readable;
  private boolean nonBlocking;
  private boolean closed;

  int number() {
    return fd;
  }

  boolean isReadable() {
    return readable;
  }

  boolean isNonBlocking() {
    return nonBlocking;
  }

  void setReadable(boolean wanted) {
    if (wanted == readable || closed) {
      return;
    }
    readable = wanted;
    ByteBuffer counter = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
    if (wanted) {
      FakeLibc.LIBC.write(fd, counter.putLong(0, 1), 8);
    } else {
      FakeLibc.LIBC.read(fd, counter, 8);
    }
  }

  int fcntl(int command, int argument) {
    if (command == F_SETFL) {
      nonBlocking = (argument & O_NONBLOCK) != 0;
    }
    return FakeLibc.LIBC.fcntl(fd, command, argument);
  }

  void close() {
    if (!closed) {
      closed = true;
      FakeLibc.LIBC.close(fd);
    }
  }
}
