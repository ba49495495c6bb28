package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A reliable connection with every operation of verbs, each a future; one piece of registered
 * memory, to which offsets refer. On its event loop.
 *
 * <p>A receive is posted again when its message was taken with {@link #receive}: as many messages
 * as the receive depth says can wait here, and the peer waits with the next.
 */
public final class VerbsConnection implements CompletionHandler {

  /** Marks the work request ids of receives; the rest is the slot. */
  private static final long RECEIVE = 1L << 62;

  private record Message(byte[] bytes, int slot) {}

  private record Operation(SendOpcode opcode, Promise<Void> promise) {}

  private final RdmaLoop loop;
  private final CmId id;
  private final VerbsOptions options;
  private final Resources resources;
  private final int queuePairNumber;
  private final Map<Long, Operation> operations = new HashMap<>();
  private final ArrayDeque<Message> messages = new ArrayDeque<>();
  private final ArrayDeque<Promise<byte[]>> readers = new ArrayDeque<>();
  private final Promise<Void> disconnected = Promise.promise();
  private byte[] privateData = {};
  private RdmaException failure;
  private Future<Void> closing;
  private long nextId;

  VerbsConnection(RdmaLoop loop, CmId id, VerbsOptions options, Resources resources) {
    this.loop = loop;
    this.id = id;
    this.options = options;
    this.resources = resources;
    this.queuePairNumber = resources.queuePair().number();
    resources.device().register(queuePairNumber, this);
  }

  /** Posts all receives; before anything can come. */
  void start() {
    resources.receives().clear();
    for (int slot = 0; slot < options.receiveDepth(); slot++) {
      addReceive(slot);
    }
    check("post_recv", resources.receives().post());
  }

  /** What the peer sent along is known. */
  void established(byte[] received) {
    privateData = received;
  }

  private void addReceive(int slot) {
    int size = options.messageSize();
    resources.receives().add(RECEIVE | slot);
    resources
        .receives()
        .addScatterGather(
            resources.inbox().address() + (long) slot * size, size, resources.inbox().localKey());
  }

  private static void check(String operation, int errno) {
    if (errno != 0) {
      throw RdmaException.ofErrno(operation, errno);
    }
  }

  /** The private data the peer sent, zero-padded; of what accepts, or of what requested. */
  public byte[] privateData() {
    return privateData.clone();
  }

  /** The registered memory. */
  public ByteBuffer memory() {
    return resources.memory().buffer();
  }

  /** The virtual address of an offset in the memory, for the peer. */
  public long address(int offset) {
    return resources.memory().address() + Objects.checkIndex(offset, options.memorySize());
  }

  /** The key of the memory, for the peer. */
  public int remoteKey() {
    return resources.memory().remoteKey();
  }

  /** Sends bytes of the memory as one message. */
  public Future<Void> send(int offset, int length) {
    return post(SendOpcode.SEND, offset, length, 0, 0, 0);
  }

  /** Writes bytes of the memory to the peer's. */
  public Future<Void> write(int offset, int length, long remoteAddress, int remoteKey) {
    return post(SendOpcode.RDMA_WRITE, offset, length, remoteAddress, remoteKey, 0);
  }

  /** Reads bytes of the peer's memory into this one's. */
  public Future<Void> read(int offset, int length, long remoteAddress, int remoteKey) {
    return post(SendOpcode.RDMA_READ, offset, length, remoteAddress, remoteKey, 0);
  }

  /** Adds to 8 bytes of the peer's memory; what was there before comes to the offset. */
  public Future<Void> fetchAndAdd(int offset, long remoteAddress, int remoteKey, long add) {
    return post(SendOpcode.ATOMIC_FETCH_AND_ADD, offset, 8, remoteAddress, remoteKey, add);
  }

  private Future<Void> post(
      SendOpcode opcode, int offset, int length, long remoteAddress, int remoteKey, long add) {
    Objects.checkFromIndexSize(offset, length, options.memorySize());
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    Operation operation = new Operation(opcode, Promise.promise());
    long workRequestId = nextId++;
    resources.sends().clear();
    resources.sends().add(workRequestId, opcode, SendFlag.SIGNALED, 0, remoteAddress, remoteKey);
    if (length > 0) {
      resources
          .sends()
          .addScatterGather(
              resources.memory().address() + offset, length, resources.memory().localKey());
    }
    if (opcode == SendOpcode.ATOMIC_FETCH_AND_ADD) {
      resources.sends().setAtomicOperands(add, 0);
    }
    operations.put(workRequestId, operation);
    int errno = resources.sends().post();
    if (errno != 0) {
      operations.remove(workRequestId);
      return Future.failedFuture(RdmaException.ofErrno("post_send", errno));
    }
    return operation.promise.future();
  }

  /** The next message; fails when none will come any more. */
  public Future<byte[]> receive() {
    Message message = messages.poll();
    if (message != null) {
      repost(message.slot);
      return Future.succeededFuture(message.bytes);
    }
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    Promise<byte[]> reader = Promise.promise();
    readers.add(reader);
    return reader.future();
  }

  private void repost(int slot) {
    if (failure == null) {
      resources.receives().clear();
      addReceive(slot);
      check("post_recv", resources.receives().post());
    }
  }

  @Override
  public void completion(WorkCompletions completions, int index) {
    long workRequestId = completions.workRequestId(index);
    int status = completions.status(index);
    if ((workRequestId & RECEIVE) == 0) {
      Operation operation = operations.remove(workRequestId);
      if (operation != null && status == 0) {
        operation.promise.complete();
      } else if (operation != null) {
        RdmaException why =
            WorkCompletionException.of(
                operation.opcode.name(), status, completions.vendorError(index));
        operation.promise.fail(why);
        failed(why);
      }
    } else if (status != 0) {
      failed(WorkCompletionException.of("RECV", status, completions.vendorError(index)));
    } else {
      int slot = (int) workRequestId;
      byte[] bytes = new byte[completions.byteLength(index)];
      resources.inbox().buffer().get(slot * options.messageSize(), bytes);
      messages.add(new Message(bytes, slot));
    }
  }

  @Override
  public void batchEnd() {
    deliver();
  }

  private void deliver() {
    while (!readers.isEmpty() && !messages.isEmpty()) {
      Message message = messages.poll();
      repost(message.slot);
      readers.poll().complete(message.bytes);
    }
  }

  @Override
  public boolean usesQueuePair(QueuePair pair) {
    return pair == resources.queuePair();
  }

  @Override
  public boolean usesQueue(CompletionQueue queue) {
    return resources.share().queue() == queue;
  }

  @Override
  public void failed(RdmaException cause) {
    if (failure == null) {
      failure = cause;
    }
    // What came before the end is no less wanted.
    deliver();
    for (Promise<byte[]> reader = readers.poll(); reader != null; reader = readers.poll()) {
      reader.fail(failure);
    }
  }

  /** The peer, or the connection manager, ended the connection. */
  void ended() {
    // The event can be read before the completions of what the peer sent last.
    resources.share().drain();
    disconnected.tryComplete();
    failed(new FlushedException("RECV", 0));
  }

  /** Completes when the connection manager says that the connection has ended; never fails. */
  public Future<Void> disconnected() {
    return disconnected.future();
  }

  /** Disconnects, or answers the peer's disconnecting. */
  public void disconnect() {
    id.disconnect();
  }

  /** Disconnects and frees everything; what is under way fails as flushed. Idempotent. */
  public Future<Void> close() {
    if (closing == null) {
      if (!id.isClosed()) {
        id.disconnect();
      }
      closing =
          loop.<Void>blocking(
                  () -> {
                    resources.destroy(id);
                    return null;
                  })
              .onComplete(destroyed -> gone());
    }
    return closing;
  }

  private void gone() {
    resources.device().unregister(queuePairNumber, this);
    resources.share().release();
    failed(new FlushedException("RECV", 0));
    operations
        .values()
        .forEach(one -> one.promise.fail(new FlushedException(one.opcode.name(), 0)));
    operations.clear();
    disconnected.tryComplete();
  }
}
