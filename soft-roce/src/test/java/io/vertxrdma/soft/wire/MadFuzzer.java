package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;

/**
 * Fuzz target: any bytes as a management datagram. It is read or refused with a reason, and what
 * was read is written and read again unchanged.
 */
public final class MadFuzzer {

  private MadFuzzer() {}

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /**
   * One input: a management datagram.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    ByteBuffer bytes = ByteBuffer.wrap(input);
    Mad.Decoded decoded = Mad.decode(bytes);
    check(bytes.position() == 0 && bytes.limit() == input.length, "the buffer was moved");
    check(
        (decoded.mad() == null) == (decoded.problem() != Mad.Problem.NONE),
        "neither a message nor a problem, or both");
    if (decoded.mad() == null) {
      return;
    }
    CmMessage message = decoded.mad().message();
    if (message instanceof CmReq request) {
      check(request.userData().length == 56, "user data of another length");
      header(request.cmaHeader());
    } else if (message instanceof CmSidrReq request) {
      header(CmaHeader.read(request.privateData()));
    }
    // Fields nobody reads are zero in the copy, so the copy of the copy is compared.
    ByteBuffer copy = decoded.mad().encode();
    ByteBuffer again = Mad.decode(copy).mad().encode();
    check(copy.equals(again), "the message changes when it is read and written");
    check(message.toString() != null && message.privateData() != null, "a message without data");
  }

  private static void header(CmaHeader header) {
    if (header != null) {
      check(header.sourcePort() >= 0 && header.sourcePort() <= 0xFFFF, "no port");
      check(header.sourceAddress() != null && header.destinationAddress() != null, "no address");
    }
  }
}
