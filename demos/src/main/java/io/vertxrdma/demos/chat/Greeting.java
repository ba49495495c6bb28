package io.vertxrdma.demos.chat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RingDescriptor;

/**
 * What member and hub say when they connect: a {@link Handshake} whose application bytes are a ring
 * (16 bytes) and a name.
 */
final class Greeting {

  /** Tells this protocol from others. */
  static final int MAGIC = 0x52434854;

  private static final int VERSION = 3;
  private static final int MEMBER_ROLE = 1;
  private static final int HUB_ROLE = 2;
  private static final int REFUSED = 64;

  private static final Handshake MEMBER = end(MEMBER_ROLE, HUB_ROLE);
  private static final Handshake HUB = end(HUB_ROLE, MEMBER_ROLE);

  private Greeting() {}

  private static Handshake end(int role, int other) {
    return Handshake.builder(MAGIC)
        .protocol("vertx-rdma chat")
        .version(VERSION)
        .role(role)
        .expectRoles(other)
        .build();
  }

  /**
   * What a member sends when connecting.
   *
   * @param nick who it is
   * @param ring where the hub may write
   */
  record Hello(String nick, RingDescriptor ring) {

    Buffer encode() {
      return MEMBER.encode(withRing(ring, nick));
    }

    /**
     * Reads the private data of a request.
     *
     * @throws HandshakeException when it is from no chat member
     * @throws ProtocolException when ring or nickname are not right
     */
    static Hello decode(Buffer data) {
      Buffer said = HUB.decode(data).application();
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
