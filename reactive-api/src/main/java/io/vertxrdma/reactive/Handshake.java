package io.vertxrdma.reactive;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.HandshakeRejection.Code;
import java.util.Objects;
import java.util.function.Function;

/**
 * Private data with a meaning: says who is there, in which version, and carries the application's
 * bytes in their own length. Optional; raw private data can be used as ever.
 *
 * <pre>
 * 0       4             5             6               7              11       12
 * | magic | min version | max version | T R role(6) | capabilities | length | application | token
 * </pre>
 *
 * <p>T says that a token of 16 bytes follows the application's bytes, R that it is a reply; numbers
 * are big-endian. A request on InfiniBand and RoCE holds 56 bytes and a reply 196, which leaves the
 * application {@value #MAX_REQUEST_BYTES} and {@value #MAX_REPLY_BYTES} bytes, with a token 16
 * less: 28 and 168. More is refused.
 *
 * <pre>{@code
 * Handshake hello = Handshake.builder(0x4C4F4753).versions(2, 3).build();
 *
 * client.connect(port, host, hello.encode()).compose(c -> hello.verifyReply(c)...);
 *
 * server.connectRequestHandler(request -> {
 *   if (hello.accepts(request.privateData())) {
 *     request.accept(hello.encodeReply());
 *   } else {
 *     request.reject(hello.reason(request.privateData()));
 *   }
 * });
 * }</pre>
 *
 * <p>The rejected end gets a {@link io.vertxrdma.cm.HandshakeRejectedException} with code and text,
 * whether it uses a handshake itself or not.
 *
 * <p><b>What the token does.</b> It is HMAC-SHA-256 over all bytes before it, cut to 128 bits (at
 * least half of the hash, as RFC 2104 section 5 asks; the same cut as HMAC-SHA-256-128 of RFC
 * 4868), and compared in constant time. It proves that somebody who knew the key made the message.
 * It does not prove when: whoever has seen a message on the network can send it again. Against that
 * put a time or a counter into the application's bytes and check it, or random bytes that the reply
 * has to repeat. A request is never taken for a reply, so a peer can't be answered with its own
 * words. Nothing is encrypted, a rejection has no token, and what follows on the connection is not
 * protected at all; the key of announced memory travels in clear.
 *
 * <p>Instances are immutable and may be used from any thread.
 */
public final class Handshake {

  /** Application bytes in a request without a token. */
  public static final int MAX_REQUEST_BYTES = 56 - HandshakeCodec.HEADER;

  /** Application bytes in a reply without a token. */
  public static final int MAX_REPLY_BYTES = 196 - HandshakeCodec.HEADER;

  private static final int MAX_ROLE = 63;

  private final int minVersion;
  private final int maxVersion;
  private final int role;
  private final long acceptedRoles;
  private final int capabilities;
  private final int required;
  private final HandshakeCodec codec;

  private Handshake(Builder from) {
    this.minVersion = from.minVersion;
    this.maxVersion = from.maxVersion;
    this.role = from.role;
    this.acceptedRoles = from.acceptedRoles == 0 ? 1L << from.role : from.acceptedRoles;
    this.capabilities = from.capabilities;
    this.required = from.required;
    this.codec = new HandshakeCodec(from.magic, from.protocol, from.keys);
  }

  /**
   * Begins a handshake: version 0 only, role 0 on both ends, no capabilities, no token.
   *
   * @param magic a number that tells this protocol from others
   */
  public static Builder builder(int magic) {
    return new Builder(magic);
  }

  /** A request without application bytes: the private data to connect with. */
  public Buffer encode() {
    return encode(Buffer.buffer());
  }

  /**
   * A request: the private data to connect with.
   *
   * @param application at most {@link #maxRequestBytes()} bytes
   * @throws IllegalArgumentException naming limit and length when there are more
   * @throws IllegalStateException when tokens are used and there is no key for this message
   */
  public Buffer encode(Buffer application) {
    checkLength("request", application, maxRequestBytes());
    return codec.encode(own(application), false);
  }

  /** A reply without application bytes: the private data to accept with. */
  public Buffer encodeReply() {
    return encodeReply(Buffer.buffer());
  }

  /**
   * A reply: the private data to accept with.
   *
   * @param application at most {@link #maxReplyBytes()} bytes
   * @throws IllegalArgumentException naming limit and length when there are more
   * @throws IllegalStateException when tokens are used and there is no key for this message
   */
  public Buffer encodeReply(Buffer application) {
    checkLength("reply", application, maxReplyBytes());
    return codec.encode(own(application), true);
  }

  /** Application bytes that fit into a request: 44, or 28 with a token. */
  public int maxRequestBytes() {
    return MAX_REQUEST_BYTES - codec.tokenLength();
  }

  /** Application bytes that fit into a reply: 184, or 168 with a token. */
  public int maxReplyBytes() {
    return MAX_REPLY_BYTES - codec.tokenLength();
  }

  /** Whether a request's private data passes every check. */
  public boolean accepts(Buffer requestData) {
    try {
      decode(requestData);
      return true;
    } catch (HandshakeException refused) {
      return false;
    }
  }

  /**
   * The private data to reject a request with, which tells the peer why.
   *
   * @throws IllegalStateException when the request is one that is accepted
   */
  public Buffer reason(Buffer requestData) {
    try {
      decode(requestData);
    } catch (HandshakeException refused) {
      return refused.toPrivateData();
    }
    throw new IllegalStateException("nothing is wrong with this request");
  }

  /**
   * The private data to reject a request with for a reason of the application's own.
   *
   * @param code {@link HandshakeRejection#APPLICATION} (64) up to 255
   * @param text for a person, at most 142 bytes in UTF-8
   * @throws IllegalArgumentException for a code out of range, or a text that is too long
   */
  public static Buffer reason(int code, String text) {
    if (code < HandshakeRejection.APPLICATION) {
      throw new IllegalArgumentException(
          "an application's code must be " + HandshakeRejection.APPLICATION + "..255, was " + code);
    }
    return Buffer.buffer(new HandshakeRejection(code, text).encode());
  }

  /**
   * Reads and checks a request.
   *
   * @param requestData a request's private data, padded or not
   * @throws HandshakeException naming the check it failed; nothing else is ever thrown
   */
  public HandshakeMessage decode(Buffer requestData) {
    return check(codec.decode(requestData, false));
  }

  /**
   * Reads and checks a reply.
   *
   * @param replyData the private data a connection was accepted with, padded or not
   * @throws HandshakeException naming the check it failed; nothing else is ever thrown
   */
  public HandshakeMessage decodeReply(Buffer replyData) {
    return check(codec.decode(replyData, true));
  }

  /**
   * Reads and checks the reply a connection came with. If it fails the check the connection is
   * closed, and then the future fails with a {@link HandshakeException}.
   */
  public Future<HandshakeMessage> verifyReply(RdmaConnection connection) {
    try {
      return Future.succeededFuture(decodeReply(connection.peerPrivateData()));
    } catch (HandshakeException refused) {
      return connection.close().transform(closed -> Future.failedFuture(refused));
    }
  }

  private HandshakeMessage own(Buffer application) {
    return new HandshakeMessage(
        maxVersion, minVersion, maxVersion, role, capabilities, application);
  }

  private static void checkLength(String what, Buffer application, int limit) {
    if (application.length() > limit) {
      throw new IllegalArgumentException(
          "the application bytes of a handshake's "
              + what
              + " are limited to "
              + limit
              + ", got "
              + application.length());
    }
  }

  /** What the peer says of itself against what is expected. */
  private HandshakeMessage check(HandshakeMessage peer) {
    int version = Math.min(maxVersion, peer.maxVersion());
    if (version < Math.max(minVersion, peer.minVersion())) {
      throw new HandshakeException(
          Code.VERSION,
          "versions "
              + minVersion
              + " to "
              + maxVersion
              + " are spoken here, "
              + peer.minVersion()
              + " to "
              + peer.maxVersion()
              + " there");
    }
    if ((acceptedRoles >>> peer.role() & 1) == 0) {
      throw new HandshakeException(Code.ROLE, "role " + peer.role() + " is not expected here");
    }
    if (!peer.has(required)) {
      throw new HandshakeException(
          Code.CAPABILITY,
          "capabilities 0x"
              + Integer.toHexString(required & ~peer.capabilities())
              + " are required here and missing there");
    }
    return new HandshakeMessage(
        version,
        peer.minVersion(),
        peer.maxVersion(),
        peer.role(),
        peer.capabilities(),
        peer.application());
  }

  /** Says what an end is and what it expects of the other. */
  public static final class Builder {

    private final int magic;
    private String protocol = "another protocol";
    private int minVersion;
    private int maxVersion;
    private int role;
    private long acceptedRoles;
    private int capabilities;
    private int required;
    private Function<HandshakeMessage, byte[]> keys;

    private Builder(int magic) {
      this.magic = magic;
    }

    /** The protocol's name, which strangers are told. */
    public Builder protocol(String name) {
      this.protocol = Objects.requireNonNull(name, "name");
      return this;
    }

    /** Speaks this version only, 0..255. */
    public Builder version(int version) {
      return versions(version, version);
    }

    /**
     * Speaks versions from least to most.
     *
     * @throws IllegalArgumentException unless 0..255 and in order
     */
    public Builder versions(int least, int most) {
      if (least < 0 || most > 255 || least > most) {
        throw new IllegalArgumentException(
            "versions must be 0..255 and in order, were " + least + ".." + most);
      }
      this.minVersion = least;
      this.maxVersion = most;
      return this;
    }

    /**
     * Is of this role, 0..63, whatever that means to the application. Unless {@link #expectRoles}
     * says otherwise the peer has to be of the same.
     */
    public Builder role(int role) {
      this.role = checkRole(role);
      return this;
    }

    /** Expects the peer to be of one of these roles. */
    public Builder expectRoles(int... roles) {
      acceptedRoles = 0;
      for (int expected : roles) {
        acceptedRoles |= 1L << checkRole(expected);
      }
      return this;
    }

    private static int checkRole(int role) {
      if (role < 0 || role > MAX_ROLE) {
        throw new IllegalArgumentException("role must be 0.." + MAX_ROLE + ", was " + role);
      }
      return role;
    }

    /** Has these capabilities, one bit each. */
    public Builder capabilities(int bits) {
      this.capabilities = bits;
      return this;
    }

    /** Requires the peer to have these capabilities. */
    public Builder requireCapabilities(int bits) {
      this.required = bits;
      return this;
    }

    /**
     * Sends tokens and requires them.
     *
     * @param keys the secret key for a message: asked for each that is sent, and for each that
     *     arrives, <em>before anything in it is proved</em>. Its application bytes may name the
     *     key. Null for none; then what arrives is refused like a wrong token. 32 random bytes make
     *     a good key.
     */
    public Builder token(Function<HandshakeMessage, byte[]> keys) {
      this.keys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /** The handshake. */
    public Handshake build() {
      return new Handshake(this);
    }
  }
}
