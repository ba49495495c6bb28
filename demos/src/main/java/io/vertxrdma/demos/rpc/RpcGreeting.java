package io.vertxrdma.demos.rpc;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RemoteMemory;

/**
 * What each end says when connecting, as the application bytes of a {@link Handshake}: where its
 * slots are.
 *
 * @param memory all slots, one after the other
 * @param slots how many
 * @param slotSize bytes of each
 */
record RpcGreeting(RemoteMemory memory, int slots, int slotSize) {

  private static final int MAGIC = 0x5252_5043;
  private static final int CLIENT_ROLE = 1;
  private static final int SERVER_ROLE = 2;
  private static final int REFUSED = 64;
  private static final int BYTES = RemoteMemory.ENCODED_LENGTH + 8;
  private static final Handshake CLIENT = end(CLIENT_ROLE, SERVER_ROLE);
  private static final Handshake SERVER = end(SERVER_ROLE, CLIENT_ROLE);

  private static Handshake end(int role, int other) {
    return Handshake.builder(MAGIC)
        .protocol("vertx-rdma rpc")
        .version(1)
        .role(role)
        .expectRoles(other)
        .build();
  }

  Buffer encodeRequest() {
    return CLIENT.encode(bytes());
  }

  Buffer encodeReply() {
    return SERVER.encodeReply(bytes());
  }

  private Buffer bytes() {
    return memory.encode().appendInt(slots).appendInt(slotSize);
  }

  /**
   * Reads a client's.
   *
   * @throws HandshakeException when it is from no client of this protocol
   * @throws ProtocolException when its numbers contradict each other
   */
  static RpcGreeting ofRequest(Buffer data) {
    return of(SERVER.decode(data).application());
  }

  /**
   * Reads a server's.
   *
   * @param slots what the client asked for
   * @throws HandshakeException when it is from no server of this protocol
   * @throws ProtocolException when its numbers contradict each other, or exceed what was asked for
   */
  static RpcGreeting ofReply(Buffer data, int slots) {
    RpcGreeting greeting = of(CLIENT.decodeReply(data).application());
    if (greeting.slots > slots) {
      throw new ProtocolException(
          "slots must be 1.." + slots + ", the server says " + greeting.slots);
    }
    return greeting;
  }

  private static RpcGreeting of(Buffer said) {
    if (said.length() != BYTES) {
      throw new ProtocolException("a greeting has " + BYTES + " bytes, this has " + said.length());
    }
    int at = RemoteMemory.ENCODED_LENGTH;
    int slots = said.getInt(at);
    int slotSize = said.getInt(at + 4);
    String objection = RpcOptions.objectionTo(slots, slotSize);
    if (objection != null) {
      throw new ProtocolException(objection);
    }
    RemoteMemory memory;
    try {
      memory = RemoteMemory.decode(said);
    } catch (IllegalArgumentException wrong) {
      throw new ProtocolException(wrong.getMessage());
    }
    if (memory.length() != (long) slots * slotSize) {
      throw new ProtocolException(
          slots + " slots of " + slotSize + " bytes in " + memory.length() + " bytes of memory");
    }
    return new RpcGreeting(memory, slots, slotSize);
  }

  /** What a server sends when it refuses a client. */
  static Buffer refusal(String reason) {
    return Handshake.reason(REFUSED, reason);
  }

  /** Where a message of that length lies. */
  RemoteMemory slot(int slot, int length) {
    return memory.slice((long) slot * slotSize, length);
  }
}
