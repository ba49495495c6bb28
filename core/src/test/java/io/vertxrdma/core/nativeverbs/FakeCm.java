package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Channel;
import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.Params;
import io.vertxrdma.core.nativeverbs.FakeModel.State;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The fake's librdmacm: channels, ids and the calls that move them; events are in FakeCmEvents. */
final class FakeCm {

  private static final int UDP = 0x0111;
  private static final int NONE = 255;

  private final FakeNativeCalls fake;
  private final FakeModel model;
  private final FakeMemory memory;
  private final FakeAbi abi;
  private int nextPort = 40000;

  FakeCm(FakeNativeCalls fake) {
    this.fake = fake;
    this.model = fake.model;
    this.memory = fake.memory;
    this.abi = fake.abi;
  }

  long createChannel() {
    if (fake.devices.isEmpty()) {
      return fake.fail(19, 0);
    }
    Channel channel = new Channel(memory.allocate(4));
    abi.write(channel.pointer, FakeAbi.CHANNEL_FD, channel.descriptor.number());
    model.channels.put(channel.pointer, channel);
    return channel.pointer;
  }

  void destroyChannel(long pointer) {
    Channel channel = model.channels.remove(pointer);
    if (channel == null) {
      fake.misuse("rdma_destroy_event_channel", pointer);
      return;
    }
    if (!model.idsOn(channel).isEmpty()) {
      fake.violation("rdma_destroy_event_channel with live " + model.idsOn(channel));
    }
    channel.descriptor.close();
    memory.free(pointer);
  }

  int createId(long channel, long idOut, long context, int portSpace) {
    Channel on = model.channels.get(channel);
    if (on == null) {
      fake.misuse("rdma_create_id", channel);
      return fake.fail(22, -1);
    }
    memory.put(idOut, 8, newId(on, context, portSpace).pointer);
    return 0;
  }

  Id newId(Channel channel, long context, int portSpace) {
    Id id = new Id(memory.allocate(FakeAbi.ID_SIZE), portSpace, channel);
    abi.write(id.pointer, FakeAbi.ID_CHANNEL, channel.pointer);
    abi.write(id.pointer, FakeAbi.ID_CONTEXT, context);
    abi.write(id.pointer, FakeAbi.ID_PS, portSpace);
    abi.write(id.pointer, FakeAbi.ID_QP_TYPE, portSpace == UDP ? 4 : 2);
    model.ids.put(id.pointer, id);
    return id;
  }

  int destroyId(long pointer) {
    Id id = model.ids.get(pointer);
    if (id == null) {
      fake.misuse("rdma_destroy_id", pointer);
      return fake.fail(22, -1);
    }
    if (id.qp != null) {
      fake.violation("rdma_destroy_id before rdma_destroy_qp on " + id);
      fake.verbs.destroyQp(pointer);
    }
    // Gone for the kernel first: what is not fetched is dropped, the peer hears of it.
    model.ids.remove(pointer);
    model.destroyed.put(pointer, id);
    fake.events.drop(id);
    fake.peers.destroyed(id);
    waitForAcks("rdma_destroy_id", id);
    memory.free(pointer);
    return 0;
  }

  /** The real library waits here for ever. */
  private void waitForAcks(String function, Id id) {
    long end = System.nanoTime() + fake.patience.toNanos();
    while (id.fetched != id.acked) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        fake.violation(function + " hangs: un-acknowledged event of " + id);
        return;
      }
      try {
        fake.lock.wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fake.violation(function + " interrupted while it waited for an acknowledgement");
        return;
      }
    }
  }

  int migrate(long pointer, long channel) {
    Id id = id("rdma_migrate_id", pointer);
    Channel target = model.channels.get(channel);
    if (id == null || target == null) {
      fake.misuse("rdma_migrate_id", channel);
      return fake.fail(22, -1);
    }
    fake.events.move(id, target);
    id.channel = target;
    abi.write(pointer, FakeAbi.ID_CHANNEL, channel);
    waitForAcks("rdma_migrate_id", id);
    return 0;
  }

  int setOption(long pointer, int level, int name, long length) {
    if (id("rdma_set_option", pointer) == null) {
      return fake.fail(22, -1);
    }
    if (level != 0 || name < 0 || name > 3) {
      return fake.fail(38, -1);
    }
    return length == (name == 0 || name == 3 ? 1 : 4) ? 0 : fake.fail(22, -1);
  }

  int bind(long pointer, byte[] sockaddr) {
    Id id = id("rdma_bind_addr", pointer);
    InetSocketAddress wanted = FakeMemory.address(sockaddr);
    if (id == null || id.state != State.IDLE || wanted == null) {
      return fake.fail(22, -1);
    }
    int errno = occupy(id, wanted);
    if (errno != 0) {
      return fake.fail(errno, -1);
    }
    id.state = State.BOUND;
    if (!wanted.getAddress().isAnyLocalAddress()) {
      useDevice(id, deviceOf(wanted.getAddress()));
    }
    return 0;
  }

  /** Gives the id its local address, or answers with the errno of the refusal. */
  private int occupy(Id id, InetSocketAddress wanted) {
    InetAddress host = wanted.getAddress();
    if (fake.strictAddresses && !host.isAnyLocalAddress() && deviceOf(host) == null) {
      return 99;
    }
    int port = wanted.getPort() == 0 ? nextPort++ : wanted.getPort();
    for (Id other : model.ids.values()) {
      if (other.local == null || other.portSpace != id.portSpace || other.passive) {
        continue;
      }
      if (other.local.getPort() == port && other.local.getAddress().equals(host)) {
        return 98;
      }
      if (other.local.getPort() == port && host.isAnyLocalAddress()) {
        return 99;
      }
    }
    id.local = new InetSocketAddress(host, port);
    memory.write(abi.at(id.pointer, FakeAbi.ID_SRC_ADDR), FakeMemory.sockaddr(id.local));
    return 0;
  }

  private FakeDevice deviceOf(InetAddress host) {
    return fake.devices.values().stream()
        .filter(device -> !device.isRemoved() && device.has(host))
        .findFirst()
        .orElse(fake.strictAddresses ? null : fake.firstDevice());
  }

  /** What librdmacm does once it knows the device. */
  void useDevice(Id id, FakeDevice device) {
    id.device = device;
    abi.write(id.pointer, FakeAbi.ID_VERBS, device == null ? 0 : device.context);
    abi.write(id.pointer, FakeAbi.ID_PORT_NUM, device == null ? 0 : 1);
  }

  int listen(long pointer) {
    Id id = id("rdma_listen", pointer);
    if (id == null || id.state != State.BOUND) {
      return fake.fail(22, -1);
    }
    id.state = State.LISTENING;
    return 0;
  }

  int resolveAddress(long pointer, byte[] source, byte[] destination) {
    Id id = id("rdma_resolve_addr", pointer);
    InetSocketAddress to = FakeMemory.address(destination);
    if (id == null || to == null || id.state != State.IDLE && id.state != State.BOUND) {
      return fake.fail(22, -1);
    }
    InetSocketAddress from = FakeMemory.address(source);
    if (from != null && id.state == State.IDLE) {
      int errno = occupy(id, from);
      if (errno != 0) {
        return fake.fail(errno, -1);
      }
    }
    id.remote = to;
    memory.write(abi.at(pointer, FakeAbi.ID_DST_ADDR), FakeMemory.sockaddr(to));
    fake.events.reply("rdma_resolve_addr", id, 0);
    return 0;
  }

  /** The device and source address that ADDR_RESOLVED brings. */
  void addressResolved(Id id) {
    id.state = State.ADDRESS_RESOLVED;
    FakeDevice device = id.local == null ? fake.firstDevice() : deviceOf(id.local.getAddress());
    if (id.local == null && device != null && device.firstAddress() != null) {
      occupy(id, new InetSocketAddress(device.firstAddress(), 0));
    }
    useDevice(id, device);
  }

  int resolveRoute(long pointer, int timeout) {
    Id id = id("rdma_resolve_route", pointer);
    if (id == null || id.state != State.ADDRESS_RESOLVED || timeout == 0) {
      return fake.fail(22, -1);
    }
    fake.events.reply("rdma_resolve_route", id, 2);
    return 0;
  }

  int connect(long pointer, byte[] param, byte[] data) {
    Id id = id("rdma_connect", pointer);
    if (id == null || id.state != State.ROUTE_RESOLVED || param.length == 0 && id.qp == null) {
      return fake.fail(22, -1);
    }
    Params own = FakeParams.decode(fake, "rdma_connect", param, data, id);
    int limit = id.device.isIwarp() ? NONE : id.portSpace == UDP ? 180 : 56;
    if (own == null || own.privateData.length > limit) {
      return fake.fail(22, -1);
    }
    own.responderResources = max(own.responderResources, id.device.cachedResponderMax());
    own.initiatorDepth = max(own.initiatorDepth, id.device.cachedInitiatorMax());
    id.own = own;
    id.state = State.CONNECTING;
    fake.peers.connect(id);
    return 0;
  }

  private static int max(int value, int deviceMax) {
    return value == 255 ? deviceMax : value;
  }

  int accept(long pointer, byte[] param, byte[] data) {
    Id id = id("rdma_accept", pointer);
    if (id == null) {
      return fake.fail(22, -1);
    }
    if (id.qp == null && id.portSpace != UDP) {
      fake.violation("crash: rdma_accept without a queue pair on " + id);
      return fake.fail(22, -1);
    }
    if (id.state != State.REQUESTED) {
      return fake.fail(22, -1);
    }
    Params own = FakeParams.decode(fake, "rdma_accept", param, data, id);
    if (own == null) {
      return fake.fail(22, -1);
    }
    FakeDevice device = id.device;
    if (own.responderResources == 255) {
      own.responderResources = Math.min(id.offered.responderResources, device.cachedResponderMax());
    }
    if (own.initiatorDepth == 255) {
      own.initiatorDepth = Math.min(id.offered.initiatorDepth, device.cachedInitiatorMax());
    }
    int limit = device.isIwarp() ? NONE : id.portSpace == UDP ? 136 : 196;
    id.own = own;
    if (own.privateData.length > limit || id.peerGone) {
      // The kernel has taken the QP to RTS before it looks; its way back is ERR and a reject.
      id.state = State.ENDED;
      if (id.qp != null) {
        fake.data.toError(id.qp);
      }
      fake.peers.reject(id, new byte[0]);
      return fake.fail(22, -1);
    }
    id.state = State.ACCEPTED;
    FakeParams.readyToSend(id);
    fake.peers.accept(id);
    return 0;
  }

  int reject(long pointer, byte[] data) {
    Id id = id("rdma_reject", pointer);
    int limit = id == null || id.device == null || !id.device.isIwarp() ? rejectLimit(id) : NONE;
    if (id == null || id.state != State.REQUESTED || data.length > limit) {
      return fake.fail(22, -1);
    }
    id.state = State.ENDED;
    fake.peers.reject(id, data);
    return 0;
  }

  private static int rejectLimit(Id id) {
    return id != null && id.portSpace == UDP ? 136 : 148;
  }

  int disconnect(long pointer) {
    Id id = id("rdma_disconnect", pointer);
    if (id == null || id.state.compareTo(State.CONNECTING) < 0) {
      return fake.fail(22, -1);
    }
    if (id.device != null && id.device.isRemoved()) {
      return fake.fail(6, -1);
    }
    if (id.qp != null) {
      fake.data.toError(id.qp);
    }
    fake.peers.disconnect(id);
    return 0;
  }

  /** The live id of a pointer; anything else is recorded as misuse. */
  Id id(String function, long pointer) {
    Id id = model.ids.get(pointer);
    if (id == null) {
      fake.misuse(function, pointer);
    }
    return id;
  }
}
