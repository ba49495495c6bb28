package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.cm.CmAgent;
import io.vertxrdma.soft.cm.CmDirectory;
import io.vertxrdma.soft.cm.CmListener;
import io.vertxrdma.soft.cm.CmPort;
import io.vertxrdma.soft.io.EventLoopTimers;
import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.io.UdpLink;
import io.vertxrdma.soft.transport.Engine;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** What a soft device consists of while it is in use: socket, timers, transport, CM. */
final class OpenDevice implements CmPort, CmDirectory {

  private final SoftRuntime runtime;
  private final SoftDevice device;
  private final EventLoop loop;
  private final boolean ownLoop;
  private final EventLoopTimers timers;
  private final Engine engine;
  private final CmAgent agent;
  private final ExitFarewell farewell;

  /**
   * Opens the socket; on the event loop.
   *
   * @param ownLoop whether the loop is the provider's and has to be given back
   */
  OpenDevice(SoftRuntime runtime, SoftDevice device, EventLoop loop, boolean ownLoop, long caGuid) {
    this.runtime = runtime;
    this.device = device;
    this.loop = loop;
    this.ownLoop = ownLoop;
    SoftProviderOptions options = runtime.options();
    SoftCounters counters = device.counters();
    UdpLink link = UdpLink.open(loop, device.address(), options.getUdpPort(), counters);
    this.timers = new EventLoopTimers(loop);
    this.engine =
        new Engine(
            options.getLinkDecorator().decorate(link, timers),
            timers,
            options.getDevice(),
            counters);
    this.farewell = new ExitFarewell(this, loop, options.getExitGraceMillis());
    this.agent = new CmAgent(this, options.getConnectionManagement(), caGuid, this);
    engine.setManagementHandler((source, queuePair, mad) -> agent.datagram(source, mad));
    engine.setUnusedListener(device::closeIfUnused);
  }

  EventLoop loop() {
    return loop;
  }

  boolean usesOwnLoop() {
    return ownLoop;
  }

  Engine engine() {
    return engine;
  }

  CmAgent agent() {
    return agent;
  }

  /** Closes the socket; on the event loop, or anywhere when that has ended. */
  void close() {
    engine.execute(agent::close);
    engine.close();
    timers.close();
  }

  @Override
  public InetAddress localAddress() {
    return device.address();
  }

  @Override
  public void execute(Runnable task) {
    engine.execute(task);
  }

  @Override
  public void send(InetAddress destination, ByteBuffer mad) {
    engine.sendManagement(destination, mad);
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public int maxPathMtuCode() {
    return SoftDevice.mtuCode(device.pathMtu());
  }

  int udpPort() {
    return runtime.options().getUdpPort();
  }

  ExitFarewell farewell() {
    return farewell;
  }

  @Override
  public void connectionsExist(boolean any) {
    farewell.connectionsExist(any);
  }

  @Override
  public SoftCounters counters() {
    return engine.counters();
  }

  @Override
  public CmListener listener(PortSpace space, int port, InetAddress local) {
    SoftListener found = runtime.ports().listener(space, port, local);
    return found == null ? null : new SoftListener.OnDevice(found, device);
  }

  @Override
  public boolean isListening(PortSpace space, int port) {
    return runtime.ports().isListening(space, port);
  }
}
