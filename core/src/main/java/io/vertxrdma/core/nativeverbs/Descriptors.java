package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.RdmaException;

/** What the library does with file descriptors: look whether one is real, and make it not block. */
final class Descriptors {

  private Descriptors() {}

  /** Whether it is an open descriptor; 0 is none of ours, but what a hole in a struct holds. */
  static boolean isValid(NativeCalls calls, int fd) {
    return fd > 0 && calls.fcntl(fd, Layout.F_GETFL, 0) >= 0;
  }

  static void setNonBlocking(NativeCalls calls, int fd) {
    int flags = calls.fcntl(fd, Layout.F_GETFL, 0);
    if (flags < 0) {
      throw RdmaException.ofErrno("fcntl F_GETFL", calls.errno(), "descriptor " + fd);
    }
    if (calls.fcntl(fd, Layout.F_SETFL, flags | Layout.O_NONBLOCK) < 0) {
      throw RdmaException.ofErrno("fcntl F_SETFL", calls.errno(), "descriptor " + fd);
    }
  }
}
