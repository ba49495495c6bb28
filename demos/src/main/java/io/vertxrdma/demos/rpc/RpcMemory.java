package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;

/** One end's registered memory: slots the peer writes to, and slots to write to the peer from. */
final class RpcMemory {

  private final RpcOptions options;
  private final RegisteredBuffer inbox;
  private final RegisteredBuffer outbox;
  private final int outgoingSize;

  private RpcMemory(
      RpcOptions options, RegisteredBuffer inbox, RegisteredBuffer outbox, int outgoingSize) {
    this.options = options;
    this.inbox = inbox;
    this.outbox = outbox;
    this.outgoingSize = outgoingSize;
  }

  /**
   * Registers both.
   *
   * @param options of what comes
   * @param outgoingSize bytes of what goes, at most
   */
  static Future<RpcMemory> allocate(RdmaMemory memory, RpcOptions options, int outgoingSize) {
    return memory
        .allocateInbox(options.memory())
        .compose(
            inbox ->
                memory
                    .allocate(options.slots() * outgoingSize)
                    .onFailure(failed -> inbox.close())
                    .map(outbox -> new RpcMemory(options, inbox, outbox, outgoingSize)));
  }

  /** What to tell the peer. */
  RpcGreeting greeting() {
    return new RpcGreeting(inbox.remote(), options.slots(), options.slotSize());
  }

  int slotSize() {
    return options.slotSize();
  }

  /** Bytes of a message that goes, at most. */
  int outgoingSize() {
    return outgoingSize;
  }

  /** A copy of what has come into a slot. */
  Buffer read(int slot, int length) {
    return inbox.getBuffer(slot * options.slotSize(), length);
  }

  /**
   * Writes a message into a slot of the peer's.
   *
   * <p>The former message of this slot may not have completed here; but the peer has it whole,
   * since it has answered it or reused the slot. What a device may send again, it drops as a
   * duplicate.
   */
  Future<Void> write(
      RdmaConnection connection, RpcGreeting peer, int slot, Buffer message, long immediate) {
    int at = slot * outgoingSize;
    outbox.setBuffer(at, message);
    return connection.writeWithImmediate(
        outbox.slice(at, message.length()), peer.slot(slot, message.length()), immediate);
  }

  void close() {
    inbox.close();
    outbox.close();
  }
}
