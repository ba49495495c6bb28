package io.vertxrdma.soft.io;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;

/** The best kind of event loop for a {@link UdpLink}, for those who make one of their own. */
public final class IoHandlers {

  private IoHandlers() {}

  /** Epoll where it works, since kernel peers need it ({@link UdpLink}); else NIO. */
  public static IoHandlerFactory best() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }
}
