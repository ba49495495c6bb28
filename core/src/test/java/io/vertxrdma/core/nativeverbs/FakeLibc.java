package io.vertxrdma.core.nativeverbs;

import java.nio.ByteBuffer;
import jnr.ffi.LibraryLoader;

/** The functions of libc that give the fake real, pollable file descriptors. */
public interface FakeLibc {

  /** One binding for all fakes. */
  FakeLibc LIBC = LibraryLoader.create(FakeLibc.class).load("c");

  /** eventfd(2). */
  int eventfd(int initial, int flags);

  /** read(2). */
  long read(int fd, ByteBuffer buffer, long count);

  /** write(2). */
  long write(int fd, ByteBuffer buffer, long count);

  /** close(2). */
  int close(int fd);

  /** fcntl(2) with an int argument. */
  int fcntl(int fd, int command, int argument);
}
