package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Channel;
import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.State;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** The fake's CM events: queueing, rdma_get_cm_event with the work it does, acknowledging. */
final class FakeCmEvents {

  private final FakeNativeCalls fake;
  private final FakeModel model;
  private final FakeMemory memory;
  private final FakeAbi abi;
  private final Map<String, FakeEvent> replies = new HashMap<>();
  private int fetched;
  private int acked;

  FakeCmEvents(FakeNativeCalls fake) {
    this.fake = fake;
    this.model = fake.model;
    this.memory = fake.memory;
    this.abi = fake.abi;
  }

  /** Scripts what follows a function; a null event stands for silence. */
  void onReply(String function, FakeEvent event) {
    replies.put(function, event);
  }

  void forgetReply(String function) {
    replies.remove(function);
  }

  boolean hasReply(String function) {
    return replies.containsKey(function);
  }

  /** Queues what a successful call leads to: what was scripted, or the event of that type. */
  void reply(String function, Id id, int type) {
    if (!replies.containsKey(function)) {
      enqueue(new FakeEvent(id, this::enqueue).type(type));
    } else if (replies.get(function) != null) {
      enqueue(replies.get(function).copyFor(id, this::enqueue));
    }
  }

  void enqueue(FakeEvent event) {
    synchronized (fake.lock) {
      Id counted = event.listener == null ? event.id : event.listener;
      counted.channel.queue.add(event);
      counted.channel.descriptor.setReadable(true);
    }
  }

  /** Drops what was not fetched; a dropped request is a rejected one. */
  void drop(Id id) {
    Iterator<FakeEvent> waiting = id.channel.queue.iterator();
    while (waiting.hasNext()) {
      FakeEvent event = waiting.next();
      if (event.id == id || event.listener == id) {
        waiting.remove();
        if (event.client != null) {
          fake.peers.rejected(event.client, 28, new byte[0]);
        }
      }
    }
    id.channel.descriptor.setReadable(!id.channel.queue.isEmpty());
  }

  void move(Id id, Channel target) {
    Channel source = id.channel;
    Iterator<FakeEvent> waiting = source.queue.iterator();
    while (waiting.hasNext()) {
      FakeEvent event = waiting.next();
      if (event.id == id || event.listener == id) {
        waiting.remove();
        target.queue.add(event);
      }
    }
    source.descriptor.setReadable(!source.queue.isEmpty());
    target.descriptor.setReadable(!target.queue.isEmpty());
  }

  int get(long channel, long eventOut) {
    Channel from = model.channels.get(channel);
    if (from == null) {
      fake.misuse("rdma_get_cm_event", channel);
      return fake.fail(22, -1);
    }
    FakeEvent event = from.queue.poll();
    from.descriptor.setReadable(!from.queue.isEmpty());
    if (event == null) {
      if (!from.descriptor.isNonBlocking()) {
        fake.violation("rdma_get_cm_event blocks: the descriptor is not O_NONBLOCK");
      }
      return fake.fail(11, -1);
    }
    if (event.listener != null) {
      event.id = child(event);
    }
    fetch(event);
    memory.put(eventOut, 8, write(event));
    model.unacked.put(event.pointer, event);
    (event.listener == null ? event.id : event.listener).fetched++;
    fetched++;
    if (event.errno != 0) {
      fake.setErrno(event.errno);
    }
    return 0;
  }

  private Id child(FakeEvent event) {
    Id listener = event.listener;
    long context = memory.i64(abi.at(listener.pointer, FakeAbi.ID_CONTEXT));
    Id child = fake.cm.newId(listener.channel, context, listener.portSpace);
    child.passive = true;
    child.state = State.REQUESTED;
    child.local = listener.local;
    child.remote = event.from;
    child.offered = event.params.copy();
    fake.cm.useDevice(child, listener.device == null ? fake.firstDevice() : listener.device);
    if (event.client != null) {
      child.peer = event.client;
      child.paired = true;
      event.client.peer = child;
      event.client.paired = true;
      child.local = event.client.remote;
    }
    // A request that came on a wildcard listener has the address it was sent to.
    if (child.local != null
        && child.local.getAddress().isAnyLocalAddress()
        && child.device.firstAddress() != null) {
      child.local =
          new java.net.InetSocketAddress(child.device.firstAddress(), child.local.getPort());
    }
    child.peerGone = event.client != null && model.destroyed.containsKey(event.client.pointer);
    if (child.local != null) {
      memory.write(abi.at(child.pointer, FakeAbi.ID_SRC_ADDR), FakeMemory.sockaddr(child.local));
    }
    memory.write(abi.at(child.pointer, FakeAbi.ID_DST_ADDR), FakeMemory.sockaddr(child.remote));
    return child;
  }

  /** The protocol work that librdmacm does in the thread that fetches. */
  private void fetch(FakeEvent event) {
    Id id = event.id;
    switch (event.type) {
      case 0 -> fake.cm.addressResolved(id);
      case 2 -> id.state = State.ROUTE_RESOLVED;
      case 1, 3, 7 -> id.state = State.ENDED;
      case 6, 8 -> {
        id.state = State.ENDED;
        if (id.qp != null) {
          fake.data.toError(id.qp);
        }
      }
      case 9 -> {
        if (!id.passive) {
          id.offered = event.params.copy();
          FakeParams.readyToSend(id);
        }
        id.state = State.CONNECTED;
      }
      default -> {}
    }
    event.whenFetched.run();
  }

  private long write(FakeEvent event) {
    long at = memory.allocate(FakeAbi.EVENT_SIZE);
    byte[] data = event.paddedData();
    event.pointer = at;
    event.data = data.length == 0 ? 0 : memory.allocate(data);
    abi.write(at, FakeAbi.EVENT_ID, event.id.pointer);
    abi.write(at, FakeAbi.EVENT_LISTEN_ID, event.listener == null ? 0 : event.listener.pointer);
    abi.write(at, FakeAbi.EVENT_TYPE, event.type);
    abi.write(at, FakeAbi.EVENT_STATUS, event.status);
    abi.write(at, FakeAbi.EVENT_PRIVATE_DATA, event.data);
    abi.write(at, FakeAbi.EVENT_PRIVATE_LEN, data.length);
    if (event.isDatagram()) {
      if (event.type == 9) {
        memory.write(
            abi.at(at, FakeAbi.EVENT_UD_AH_ATTR),
            FakeDatagrams.attributes(event.id.remote.getAddress(), 1));
        abi.write(at, FakeAbi.EVENT_UD_QKEY, FakeDatagrams.QUEUE_KEY);
      }
      abi.write(at, FakeAbi.EVENT_UD_QP_NUM, event.params.qpNumber);
      return at;
    }
    abi.write(at, FakeAbi.EVENT_RESPONDER, event.params.responderResources);
    abi.write(at, FakeAbi.EVENT_INITIATOR, event.params.initiatorDepth);
    abi.write(at, FakeAbi.EVENT_FLOW, event.params.flowControl);
    abi.write(at, FakeAbi.EVENT_RETRY, event.params.retryCount);
    abi.write(at, FakeAbi.EVENT_RNR, event.params.rnrRetryCount);
    abi.write(at, FakeAbi.EVENT_SRQ, event.params.srq);
    abi.write(at, FakeAbi.EVENT_QP_NUM, event.params.qpNumber);
    return at;
  }

  int ack(long pointer) {
    FakeEvent event = model.unacked.remove(pointer);
    if (event == null) {
      fake.misuse("rdma_ack_cm_event", pointer);
      return fake.fail(22, -1);
    }
    (event.listener == null ? event.id : event.listener).acked++;
    acked++;
    memory.free(pointer);
    if (event.data != 0) {
      memory.free(event.data);
    }
    fake.lock.notifyAll();
    return 0;
  }

  int fetched() {
    return fetched;
  }

  int acked() {
    return acked;
  }
}
