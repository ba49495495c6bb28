package io.vertxrdma.systemtests.interop;

import static io.vertxrdma.systemtests.interop.Operations.ATOMICS;
import static io.vertxrdma.systemtests.interop.Operations.CELL;
import static io.vertxrdma.systemtests.interop.Operations.COUNTER;
import static io.vertxrdma.systemtests.interop.Operations.MESSAGE;
import static io.vertxrdma.systemtests.interop.Operations.OUTSTANDING;
import static io.vertxrdma.systemtests.interop.Operations.PATTERN;
import static io.vertxrdma.systemtests.interop.Operations.PATTERN_LENGTH;
import static io.vertxrdma.systemtests.interop.Operations.SENDS;
import static io.vertxrdma.systemtests.interop.Operations.SHARED;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The other end of the C peer's {@code operating-server} and {@code operating-client}: the client
 * asks first, with adds, swaps, reads and sends; the server answers and then asks in its turn. Each
 * side checks all it finds. Blocking.
 */
public final class OperationsPeer {

  private static final int RESOLVE_MILLIS = 2000;

  private final RdmaProvider provider;
  private final boolean server;
  private OperationsQueue queue;
  private long remoteAddress;
  private int remoteKey;

  /** One side of one connection. */
  public OperationsPeer(RdmaProvider provider, boolean server) {
    this.provider = provider;
    this.server = server;
  }

  /** Serves one client, or connects to a server; what the other side left behind. */
  public String run(InetSocketAddress address, Runnable listening) {
    try (CmEventChannel channel = provider.createEventChannel();
        CmId id = channel.createId(PortSpace.TCP)) {
      return server ? serve(channel, id, address, listening) : connect(channel, id, address);
    }
  }

  private String serve(
      CmEventChannel channel, CmId listener, InetSocketAddress address, Runnable listening) {
    listener.bind(address);
    listener.listen(1);
    listening.run();
    CmEvent request = next(channel, CmEventType.CONNECT_REQUEST);
    takeInvitation(request);
    try (CmId id = request.id();
        OperationsQueue made = new OperationsQueue(id, SHARED, ownLength())) {
      queue = made;
      id.accept(parameters());
      next(channel, CmEventType.ESTABLISHED);
      String left = answer();
      ask();
      // Who has sent last knows that all has arrived, and may go first.
      id.disconnect();
      next(channel, CmEventType.DISCONNECTED);
      return left;
    }
  }

  private String connect(CmEventChannel channel, CmId id, InetSocketAddress address) {
    id.resolveAddress(null, address, RESOLVE_MILLIS);
    next(channel, CmEventType.ADDR_RESOLVED);
    id.resolveRoute(RESOLVE_MILLIS);
    next(channel, CmEventType.ROUTE_RESOLVED);
    try (OperationsQueue made = new OperationsQueue(id, SHARED, ownLength())) {
      queue = made;
      id.connect(parameters());
      takeInvitation(next(channel, CmEventType.ESTABLISHED));
      ask();
      String left = answer();
      next(channel, CmEventType.DISCONNECTED);
      id.disconnect();
      return left;
    }
  }

  private static CmEvent next(CmEventChannel channel, CmEventType type) {
    CmEvent event = UdaddyPeer.await(type.nativeName(), channel::poll);
    UdaddyPeer.require(event.type() == type, "expected " + type.nativeName() + ", got " + event);
    return event;
  }

  private static int ownLength() {
    return Math.max(
        Operations.readLengths().length * PATTERN_LENGTH + 2 * Long.BYTES, SENDS * MESSAGE);
  }

  /** The depths, and where this side's memory is; fills that. */
  private ConnParam parameters() {
    ByteBuffer shared = queue.shared().buffer().order(ByteOrder.nativeOrder());
    shared.putLong(COUNTER, Operations.COUNTER_START).putLong(CELL, Operations.CELL_START);
    for (int i = 0; i < PATTERN_LENGTH; i++) {
      shared.put(PATTERN + i, Operations.pattern(server, i));
    }
    ByteBuffer invitation =
        ByteBuffer.allocate(16)
            .putLong(queue.shared().address())
            .putInt(queue.shared().remoteKey())
            .putInt(SHARED);
    return new ConnParam(invitation.array(), OUTSTANDING, OUTSTANDING, 0, 7, 7, false, 0);
  }

  private void takeInvitation(CmEvent event) {
    ByteBuffer invitation = ByteBuffer.wrap(event.privateData());
    remoteAddress = invitation.getLong();
    remoteKey = invitation.getInt();
    requireEqual("length of the other side's memory", invitation.getInt(), SHARED);
  }

  private static void requireEqual(String what, long found, long expected) {
    UdaddyPeer.require(
        found == expected,
        what + ": " + Long.toHexString(found) + ", expected " + Long.toHexString(expected));
  }

  private void ask() {
    add();
    swap();
    read();
    send();
  }

  private void add() {
    for (int i = 0; i < ATOMICS; i++) {
      queue
          .add(SendOpcode.ATOMIC_FETCH_AND_ADD, 0, remoteAddress + COUNTER, remoteKey, i * 8, 8)
          .setAtomicOperands(i + 1, 0);
    }
    queue.execute(WorkCompletionOpcode.FETCH_ADD);
    for (int i = 0; i < ATOMICS; i++) {
      requireEqual("counter before an add", queue.own().getLong(i * 8), Operations.counterAfter(i));
    }
  }

  private void swap() {
    for (int i = 0; i < ATOMICS; i++) {
      long there = Operations.cellAfter(i);
      boolean fits = i % 2 == 0;
      queue
          .add(SendOpcode.ATOMIC_CMP_AND_SWP, 0, remoteAddress + CELL, remoteKey, i * 8, 8)
          .setAtomicOperands(fits ? there : ~there, fits ? Operations.cellAfter(i + 1) : 0);
    }
    queue.execute(WorkCompletionOpcode.COMP_SWAP);
    for (int i = 0; i < ATOMICS; i++) {
      requireEqual("cell before a swap", queue.own().getLong(i * 8), Operations.cellAfter(i));
    }
  }

  private void read() {
    int[] lengths = Operations.readLengths();
    for (int i = 0; i < lengths.length; i++) {
      queue.add(
          SendOpcode.RDMA_READ,
          0,
          remoteAddress + PATTERN,
          remoteKey,
          i * PATTERN_LENGTH,
          lengths[i]);
    }
    int words = lengths.length * PATTERN_LENGTH;
    queue.add(SendOpcode.RDMA_READ, 0, remoteAddress, remoteKey, words, 2 * Long.BYTES);
    queue.execute(WorkCompletionOpcode.RDMA_READ);
    ByteBuffer own = queue.own();
    for (int i = 0; i < lengths.length; i++) {
      for (int j = 0; j < lengths[i]; j++) {
        requireEqual(
            "a byte read", own.get(i * PATTERN_LENGTH + j), Operations.pattern(!server, j));
      }
    }
    requireEqual("counter read", own.getLong(words), Operations.counterAfter(ATOMICS));
    requireEqual("cell read", own.getLong(words + Long.BYTES), Operations.cellAfter(ATOMICS));
  }

  private void send() {
    ByteBuffer own = queue.own();
    for (int i = 0; i < SENDS; i++) {
      for (int j = 0; j < Operations.messageLength(i); j++) {
        own.put(i * MESSAGE + j, Operations.messageByte(i, j));
      }
      boolean immediate = Operations.hasImmediate(i);
      queue.add(
          immediate ? SendOpcode.SEND_WITH_IMM : SendOpcode.SEND,
          immediate ? Operations.FIRST_IMMEDIATE + i : 0,
          0,
          0,
          i * MESSAGE,
          Operations.messageLength(i));
    }
    queue.add(SendOpcode.SEND_WITH_IMM, Operations.FAREWELL, 0, 0, 0, 0);
    queue.execute(WorkCompletionOpcode.SEND);
  }

  /** Takes the other side's messages, the last of which says that it is done. */
  private String answer() {
    for (int i = 0; i < SENDS; i++) {
      boolean immediate = Operations.hasImmediate(i);
      receive(i, Operations.messageLength(i), immediate, Operations.FIRST_IMMEDIATE + i);
      for (int j = 0; j < Operations.messageLength(i); j++) {
        requireEqual("a byte received", queue.received(i, j), Operations.messageByte(i, j));
      }
    }
    receive(SENDS, 0, true, Operations.FAREWELL);
    requireEqual("own counter", queue.sharedWord(COUNTER), Operations.counterAfter(ATOMICS));
    requireEqual("own cell", queue.sharedWord(CELL), Operations.cellAfter(ATOMICS));
    return "counter "
        + Long.toHexString(queue.sharedWord(COUNTER))
        + ", cell "
        + Long.toHexString(queue.sharedWord(CELL))
        + ", "
        + SENDS
        + " messages";
  }

  private void receive(int number, int length, boolean immediate, int value) {
    WorkCompletions completion = queue.receive(WorkCompletionOpcode.RECV);
    requireEqual("order of messages", completion.workRequestId(0), number);
    requireEqual("length of a message", completion.byteLength(0), length);
    UdaddyPeer.require(completion.hasImmediate(0) == immediate, "immediate of message " + number);
    if (immediate) {
      requireEqual("immediate", completion.immediate(0), value);
    }
  }
}
