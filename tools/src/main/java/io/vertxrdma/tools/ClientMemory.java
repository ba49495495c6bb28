package io.vertxrdma.tools;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RemoteMemory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Memory that a peer may write to, registered before there is a connection to it: where it lies is
 * part of what connecting sends.
 *
 * <p>It works for the connections of clients made on the same event loop and provider that connect
 * from {@link #localHost()}.
 */
public final class ClientMemory {

  private static final int PAGE = 4096;
  private static final Set<AccessFlag> ACCESS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

  private final RdmaLoop loop;
  private final MemoryRegion region;
  private final String localHost;
  private final CloseFuture use;

  private ClientMemory(RdmaLoop loop, MemoryRegion region, String localHost, CloseFuture use) {
    this.loop = loop;
    this.region = region;
    this.localHost = localHost;
    this.use = use;
  }

  /**
   * Registers zeroed memory on the device from which the peer is reached.
   *
   * @param context the event-loop context on which the client is made
   * @param timeoutMillis for finding the device
   * @param size bytes
   */
  public static Future<ClientMemory> allocate(
      ContextInternal context,
      RdmaProvider provider,
      InetSocketAddress peer,
      int timeoutMillis,
      int size) {
    CloseFuture use = new CloseFuture();
    return RdmaLoop.acquire(context, provider, use)
        .compose(loop -> onDeviceTowards(loop, peer, timeoutMillis, size, use))
        .onFailure(failed -> use.close());
  }

  /** Only the connection manager knows which device it will use, so it is asked. */
  private static Future<ClientMemory> onDeviceTowards(
      RdmaLoop loop, InetSocketAddress peer, int timeoutMillis, int size, CloseFuture use) {
    Promise<Void> resolved = loop.context().promise();
    CmId id = loop.createId(PortSpace.TCP, event -> resolved(event, peer, resolved));
    try {
      id.resolveAddress(null, peer, timeoutMillis);
    } catch (RdmaException refused) {
      resolved.fail(CmFailures.ofCall(refused, peer.toString(), null));
    }
    return resolved
        .future()
        .compose(found -> loop.device(id.device()))
        .compose(device -> loop.blocking(() -> register(device.protectionDomain(), size)))
        .map(
            region ->
                new ClientMemory(
                    loop, region, id.localAddress().getAddress().getHostAddress(), use))
        // Not earlier: a device in software may live no longer than what uses it.
        .eventually(() -> loop.destroy(id));
  }

  private static void resolved(CmEvent event, InetSocketAddress peer, Promise<Void> promise) {
    if (event.type() == CmEventType.ADDR_RESOLVED) {
      promise.tryComplete();
    } else {
      promise.tryFail(CmFailures.of(event, Role.ACTIVE, peer.toString()));
    }
  }

  private static MemoryRegion register(ProtectionDomain domain, int size) {
    int pages = Math.multiplyExact((size + PAGE - 1) / PAGE, PAGE);
    ByteBuffer bytes = ByteBuffer.allocateDirect(pages + PAGE).alignedSlice(PAGE);
    return domain.register(bytes.slice(0, size), ACCESS);
  }

  /** The address to connect from, so that the connection is on the device of this memory. */
  public String localHost() {
    return localHost;
  }

  /** What the peer needs to write here. */
  public RemoteMemory remote() {
    return new RemoteMemory(region.address(), region.remoteKey(), region.length());
  }

  /** The bytes, without a copy. */
  public ByteBuffer bytes() {
    return region.buffer();
  }

  /** Gives the memory back; after the connection is closed. */
  public Future<Void> close() {
    return loop.<Void>blocking(
            () -> {
              region.close();
              return null;
            })
        .eventually(use::close);
  }
}
