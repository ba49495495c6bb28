package io.vertxrdma.core.nativeverbs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the fake library knows of the objects it handed out; plain data, guarded by one lock. */
final class FakeModel {

  /** Where an id stands, with the names of the kernel's states as far as they matter. */
  enum State {
    IDLE,
    BOUND,
    LISTENING,
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    CONNECTING,
    REQUESTED,
    ACCEPTED,
    CONNECTED,
    ENDED
  }

  /** An event channel. */
  static final class Channel {
    final long pointer;
    final FakeDescriptor descriptor = new FakeDescriptor();
    final Deque<FakeEvent> queue = new ArrayDeque<>();

    Channel(long pointer) {
      this.pointer = pointer;
    }
  }

  /** A communication id. */
  static final class Id {
    final long pointer;
    final int portSpace;
    Channel channel;
    State state = State.IDLE;
    FakeDevice device;
    Qp qp;
    InetSocketAddress local;
    InetSocketAddress remote;
    int fetched;
    int acked;

    /** The other end in this fake, or null for a connection to nowhere. */
    Id peer;

    /** There is, or was, another end in this fake. */
    boolean paired;

    /** What the peer announced, as this side would use it. */
    Params offered = new Params();

    /** What this side announced. */
    Params own = new Params();

    /** Made by a CONNECT_REQUEST. */
    boolean passive;

    /** The peer took its request back before it was answered. */
    boolean peerGone;

    boolean peerDisconnected;
    boolean disconnecting;

    Id(long pointer, int portSpace, Channel channel) {
      this.pointer = pointer;
      this.portSpace = portSpace;
      this.channel = channel;
    }

    @Override
    public String toString() {
      return "id 0x" + Long.toHexString(pointer) + " (" + state + ")";
    }
  }

  /** The values of a rdma_conn_param, unsigned. */
  static final class Params {
    byte[] privateData = {};
    int responderResources;
    int initiatorDepth;
    int flowControl;
    int retryCount;
    int rnrRetryCount;
    int srq;
    int qpNumber;

    Params copy() {
      Params copy = new Params();
      copy.privateData = privateData.clone();
      copy.responderResources = responderResources;
      copy.initiatorDepth = initiatorDepth;
      copy.flowControl = flowControl;
      copy.retryCount = retryCount;
      copy.rnrRetryCount = rnrRetryCount;
      copy.srq = srq;
      copy.qpNumber = qpNumber;
      return copy;
    }
  }

  /** A completion channel. */
  static final class CompChannel {
    final long pointer;
    final FakeDescriptor descriptor = new FakeDescriptor();
    final Deque<Cq> events = new ArrayDeque<>();
    int queues;

    CompChannel(long pointer) {
      this.pointer = pointer;
    }
  }

  /** A completion queue. */
  static final class Cq {
    final long pointer;
    final FakeDevice device;
    final CompChannel channel;
    final long context;
    int entries;
    final Deque<Completion> queue = new ArrayDeque<>();
    boolean armed;
    boolean overrun;
    int fetchedEvents;
    int ackedEvents;
    int queuePairs;

    Cq(long pointer, FakeDevice device, CompChannel channel, int entries, long context) {
      this.pointer = pointer;
      this.device = device;
      this.channel = channel;
      this.entries = entries;
      this.context = context;
    }
  }

  /** A protection domain. */
  static final class Pd {
    final long pointer;
    final FakeDevice device;
    int users;

    Pd(long pointer, FakeDevice device) {
      this.pointer = pointer;
      this.device = device;
    }
  }

  /** A memory region. */
  record Mr(long pointer, Pd pd, long address, long length, int access, int lkey, int rkey) {
    boolean holds(long from, long count, int right) {
      return count >= 0
          && Long.compareUnsigned(from, address) >= 0
          && count <= length
          && Long.compareUnsigned(from - address, length - count) <= 0
          && (access & right) == right;
    }
  }

  /** An address handle. */
  record Ah(long pointer, Pd pd, InetAddress destination, int sourceIndex) {}

  /** A receive that waits. */
  record Receive(long workRequestId, List<Sge> entries) {}

  /** A piece of local memory. */
  record Sge(long address, int length, int lkey) {}

  /** A send request that is not done, or whose slot is not free. */
  static final class Send {
    final byte[] bytes;
    final long workRequestId;
    final int opcode;
    final int flags;
    final List<Sge> entries;
    final byte[] inline;
    boolean done;

    Send(long id, int opcode, int flags, byte[] bytes, List<Sge> entries, byte[] inline) {
      this.workRequestId = id;
      this.opcode = opcode;
      this.flags = flags;
      this.bytes = bytes;
      this.entries = entries;
      this.inline = inline;
    }
  }

  /** A shared receive queue. */
  static final class Srq {
    final long pointer;
    final Pd pd;
    final int maxWr;
    final Deque<Receive> receives = new ArrayDeque<>();
    int limit;
    int queuePairs;

    Srq(long pointer, Pd pd, int maxWr) {
      this.pointer = pointer;
      this.pd = pd;
      this.maxWr = maxWr;
    }
  }

  /** A queue pair. */
  static final class Qp {
    final long pointer;
    final int number;
    final FakeDevice device;
    final Pd pd;
    final Cq sendCq;
    final Cq recvCq;
    final Srq srq;
    final int type;
    final boolean signalAll;
    final int maxSend;
    final int maxRecv;
    final int maxInline;
    final int maxSendSge;
    final int maxRecvSge;
    Id id;
    int state = FakeDataPath.INIT;
    int minRnrTimer;
    int maxReadAtomic;
    int maxDestReadAtomic;
    int retryCount;
    int rnrRetryCount;
    int destination;

    /** Who sent the datagram that was received last. */
    int lastSource;

    /** Its send queue is at work: whatever that leads to must not start it again. */
    boolean busy;

    final Deque<Receive> receives = new ArrayDeque<>();

    /** Posted sends whose slot is not free yet, oldest first. */
    final Deque<Send> sends = new ArrayDeque<>();

    Qp(long pointer, int number, Id id, Pd pd, Cq sendCq, Cq recvCq, Srq srq, int[] init) {
      this.pointer = pointer;
      this.number = number;
      this.id = id;
      this.device = pd.device;
      this.pd = pd;
      this.sendCq = sendCq;
      this.recvCq = recvCq;
      this.srq = srq;
      this.maxSend = init[0];
      this.maxRecv = init[1];
      this.maxSendSge = init[2];
      this.maxRecvSge = init[3];
      this.maxInline = init[4];
      this.type = init[5];
      this.signalAll = init[6] != 0;
      if (type == FakeDatagrams.UD) {
        // librdmacm makes it ready at once: there is nobody to wait for.
        state = FakeDataPath.RTS;
      }
    }

    Deque<Receive> receiveQueue() {
      return srq == null ? receives : srq.receives;
    }
  }

  /** A completion in a queue; {@code freed} is the send whose slot, and those before, it frees. */
  record Completion(
      long workRequestId,
      int status,
      int opcode,
      int vendorError,
      int byteLength,
      int immediate,
      int flags,
      int source,
      Qp qp,
      Send freed) {}

  final Map<Long, Channel> channels = new LinkedHashMap<>();
  final Map<Long, Id> ids = new LinkedHashMap<>();
  final Map<Long, CompChannel> compChannels = new LinkedHashMap<>();
  final Map<Long, Cq> cqs = new LinkedHashMap<>();
  final Map<Long, Pd> pds = new LinkedHashMap<>();
  final Map<Long, Mr> mrs = new LinkedHashMap<>();
  final Map<Long, Ah> ahs = new LinkedHashMap<>();
  final Map<Long, Srq> srqs = new LinkedHashMap<>();
  final Map<Long, Qp> qps = new LinkedHashMap<>();

  /** Events handed out and not acknowledged, by their pointer. */
  final Map<Long, FakeEvent> unacked = new LinkedHashMap<>();

  /** Ids that were destroyed, so that events for them can still be made. */
  final Map<Long, Id> destroyed = new LinkedHashMap<>();

  Map<String, Integer> live() {
    Map<String, Integer> live = new LinkedHashMap<>();
    live.put("event channels", channels.size());
    live.put("ids", ids.size());
    live.put("queue pairs", qps.size());
    live.put("completion queues", cqs.size());
    live.put("completion channels", compChannels.size());
    live.put("memory regions", mrs.size());
    live.put("address handles", ahs.size());
    live.put("shared receive queues", srqs.size());
    live.put("protection domains", pds.size());
    live.put("un-acknowledged events", unacked.size());
    live.values().removeIf(count -> count == 0);
    return live;
  }

  Qp qpByNumber(int number) {
    return qps.values().stream()
        .filter(qp -> qp.number == number)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no live queue pair " + number));
  }

  List<Id> idsOn(Channel channel) {
    List<Id> found = new ArrayList<>(ids.values());
    found.removeIf(id -> id.channel != channel);
    return found;
  }
}
