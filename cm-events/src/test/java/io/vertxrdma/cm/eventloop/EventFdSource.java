package io.vertxrdma.cm.eventloop;

import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import io.vertxrdma.core.EventSource;
import java.io.IOException;

/** A source that is readable from a signal to the next read: an eventfd. */
final class EventFdSource implements EventSource, AutoCloseable {

  private final FileDescriptor descriptor = Native.newEventFd();

  void signal() {
    Native.eventFdWrite(descriptor.intValue(), 1);
  }

  void read() {
    Native.eventFdRead(descriptor.intValue());
  }

  @Override
  public int fileDescriptor() {
    return descriptor.intValue();
  }

  @Override
  public void setReadableListener(Runnable listener) {
    throw new AssertionError("a source with a descriptor needs no listener");
  }

  @Override
  public void close() {
    try {
      descriptor.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
