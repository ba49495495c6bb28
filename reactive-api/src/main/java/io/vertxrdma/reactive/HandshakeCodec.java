package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejection.Code;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The bytes of a {@link Handshake}: layout and token, but not what is expected of the peer. */
final class HandshakeCodec {

  /** Bytes before the application's. */
  static final int HEADER = 12;

  private static final int TOKEN = 16;
  private static final int WITH_TOKEN = 0x80;
  private static final int REPLY = 0x40;
  private static final int ROLE_MASK = 0x3F;
  private static final String ALGORITHM = "HmacSHA256";
  // Stands in where there is no key, so that a guess takes as long as a miss.
  private static final byte[] NO_KEY = new byte[32];

  private final int magic;
  private final String protocol;
  private final Function<HandshakeMessage, byte[]> keys;

  HandshakeCodec(int magic, String protocol, Function<HandshakeMessage, byte[]> keys) {
    this.magic = magic;
    this.protocol = protocol;
    this.keys = keys;
  }

  int tokenLength() {
    return keys == null ? 0 : TOKEN;
  }

  Buffer encode(HandshakeMessage own, boolean reply) {
    Buffer application = own.application();
    Buffer data =
        Buffer.buffer(HEADER + application.length() + tokenLength())
            .appendInt(magic)
            .appendUnsignedByte((short) own.minVersion())
            .appendUnsignedByte((short) own.maxVersion())
            .appendUnsignedByte(
                (short) ((keys == null ? 0 : WITH_TOKEN) | (reply ? REPLY : 0) | own.role()))
            .appendInt(own.capabilities())
            .appendUnsignedByte((short) application.length())
            .appendBuffer(application);
    if (keys != null) {
      byte[] key = keys.apply(own);
      if (key == null || key.length == 0) {
        throw new IllegalStateException("there is no key for a message of role " + own.role());
      }
      data.appendBytes(token(key, data.getBytes()));
    }
    return data;
  }

  HandshakeMessage decode(Buffer data, boolean reply) {
    if (data.length() < HEADER || data.getInt(0) != magic) {
      throw new HandshakeException(
          Code.NO_HANDSHAKE,
          protocol + " is spoken here, and the private data lacks its magic number");
    }
    int flags = data.getUnsignedByte(6);
    if ((flags & REPLY) != (reply ? REPLY : 0)) {
      throw malformed(
          reply ? "a request came where a reply belongs" : "a reply came where a request belongs");
    }
    int length = data.getUnsignedByte(11);
    int tokenLength = (flags & WITH_TOKEN) == 0 ? 0 : TOKEN;
    int end = HEADER + length;
    if (data.length() < end + tokenLength) {
      throw malformed(
          "private data of "
              + data.length()
              + " bytes does not hold "
              + length
              + " of the application"
              + (tokenLength == 0 ? "" : " and a token"));
    }
    HandshakeMessage message =
        new HandshakeMessage(
            data.getUnsignedByte(5),
            data.getUnsignedByte(4),
            data.getUnsignedByte(5),
            flags & ROLE_MASK,
            data.getInt(7),
            data.slice(HEADER, end));
    if (keys != null) {
      if (tokenLength == 0) {
        throw new HandshakeException(Code.TOKEN_MISSING, "a token is required here");
      }
      verify(message, data.getBytes(0, end), data.getBytes(end, end + TOKEN));
    }
    return message;
  }

  private void verify(HandshakeMessage claimed, byte[] covered, byte[] token) {
    byte[] key = null;
    RuntimeException noKey = null;
    try {
      key = keys.apply(claimed);
    } catch (RuntimeException failed) {
      noKey = failed;
    }
    boolean known = key != null && key.length > 0;
    boolean same = MessageDigest.isEqual(token(known ? key : NO_KEY, covered), token);
    if (!(known & same)) {
      HandshakeException refused =
          new HandshakeException(Code.TOKEN_WRONG, "the token is not right");
      if (noKey != null) {
        refused.initCause(noKey);
      }
      throw refused;
    }
  }

  private static byte[] token(byte[] key, byte[] covered) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return Arrays.copyOf(mac.doFinal(covered), TOKEN);
    } catch (GeneralSecurityException impossible) {
      // Every Java platform has it, and any key will do.
      throw new IllegalStateException(impossible);
    }
  }

  private static HandshakeException malformed(String text) {
    return new HandshakeException(Code.MALFORMED, text);
  }
}
