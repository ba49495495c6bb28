package io.vertxrdma.demos.chat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.HandshakeMessage;
import io.vertxrdma.reactive.RingDescriptor;

/**
 * What member and hub, or hub and hub, say when they connect: a {@link Handshake} whose application
 * bytes are a ring (16 bytes) and a name; for a hub its port (2 bytes) before its name.
 */
final class Greeting {

  /** Tells this protocol from others. */
  static final int MAGIC = 0x52434854;

  private static final int VERSION = 3;
  private static final int MEMBER_ROLE = 1;
  private static final int HUB_ROLE = 2;
  private static final int NEIGHBOUR_ROLE = 3;
  private static final int REFUSED = 64;

  private static final Handshake MEMBER = end(MEMBER_ROLE, HUB_ROLE);
  private static final Handshake HUB = end(HUB_ROLE, MEMBER_ROLE, NEIGHBOUR_ROLE);
  private static final Handshake NEIGHBOUR = end(NEIGHBOUR_ROLE, HUB_ROLE);

  private Greeting() {}

  private static Handshake end(int role, int... others) {
    return Handshake.builder(MAGIC)
        .protocol("vertx-rdma chat")
        .version(VERSION)
        .role(role)
        .expectRoles(others)
        .build();
  }

  /** Somebody who wants in. */
  sealed interface Caller permits Hello, HubGreeting {

    /** Where the hub may write. */
    RingDescriptor ring();
  }

  /**
   * Reads the private data of a request.
   *
   * @throws HandshakeException when it is from neither member nor hub of this chat
   * @throws ProtocolException when ring or nickname are not right
   */
  static Caller read(Buffer data) {
    HandshakeMessage message = HUB.decode(data);
    return message.role() == NEIGHBOUR_ROLE
        ? HubGreeting.in(message.application())
        : Hello.in(message.application());
  }

  /**
   * What hubs send each other, when connecting and when accepting.
   *
   * @param id tells the hub from all others
   * @param port where it listens
   * @param ring where the other may write
   */
  record HubGreeting(String id, int port, RingDescriptor ring) implements Caller {

    /** Bytes of an id. */
    static final int ID_LENGTH = 8;

    private static final int PORT_LENGTH = 2;

    Buffer encode() {
      return NEIGHBOUR.encode(said());
    }

    Buffer encodeReply() {
      return HUB.encodeReply(said());
    }

    private Buffer said() {
      Buffer said = Buffer.buffer();
      ChatRing.append(ring, said);
      return said.appendUnsignedShort(port).appendString(id);
    }

    static HubGreeting decodeReply(Buffer data) {
      return in(NEIGHBOUR.decodeReply(data).application());
    }

    private static HubGreeting in(Buffer said) {
      int length = ChatRing.ENCODED_LENGTH + PORT_LENGTH + ID_LENGTH;
      if (said.length() != length) {
        throw new ProtocolException(
            "a hub's greeting of " + said.length() + " bytes; must be " + length);
      }
      return new HubGreeting(
          said.getString(ChatRing.ENCODED_LENGTH + PORT_LENGTH, length),
          said.getUnsignedShort(ChatRing.ENCODED_LENGTH),
          ChatRing.decode(said, 0));
    }
  }

  /**
   * What a member sends when connecting.
   *
   * @param nick who it is
   * @param ring where the hub may write
   */
  record Hello(String nick, RingDescriptor ring) implements Caller {

    Buffer encode() {
      return MEMBER.encode(withRing(ring, nick));
    }

    private static Hello in(Buffer said) {
      Hello hello = new Hello(name(said), ChatRing.decode(said, 0));
      String objection = Names.objectionToNick(hello.nick);
      if (objection != null) {
        throw new ProtocolException(objection);
      }
      return hello;
    }
  }

  /**
   * What the hub sends when accepting.
   *
   * @param room the name of the first room
   * @param ring where the member may write
   */
  record Welcome(String room, RingDescriptor ring) {

    Buffer encode() {
      return HUB.encodeReply(withRing(ring, room));
    }

    static Welcome decode(Buffer data) {
      Buffer said = MEMBER.decodeReply(data).application();
      return new Welcome(name(said), ChatRing.decode(said, 0));
    }
  }

  /** What the hub sends when rejecting a member for a reason of the chat. */
  static Buffer refusal(String reason) {
    return Handshake.reason(REFUSED, reason);
  }

  private static Buffer withRing(RingDescriptor ring, String name) {
    Buffer said = Buffer.buffer();
    ChatRing.append(ring, said);
    return said.appendString(name);
  }

  private static String name(Buffer said) {
    if (said.length() < ChatRing.ENCODED_LENGTH) {
      throw new ProtocolException("a greeting of only " + said.length() + " bytes");
    }
    return said.getString(ChatRing.ENCODED_LENGTH, said.length());
  }
}
