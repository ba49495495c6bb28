package io.vertxrdma.demos.rpc;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.ImmediateLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How calls look on the wire. Each message lies in the slot of its call, and its immediate says
 * which call that is.
 *
 * <pre>
 * immediate  | opcode 8 | call 24 |
 * request    opcode 1..255; 0 | milliseconds left, 0 for any 4 | body |
 * cancel     opcode 0; no bytes
 * answer     opcode 0; | body |
 * error      opcode 1; 0 | code 4 | text, UTF-8 |
 * </pre>
 */
final class RpcWire {

  /** Both fields of an immediate. */
  static final ImmediateLayout LAYOUT =
      ImmediateLayout.builder().field("opcode", 8).field("call", 24).build();

  /** What is asked, or how it was answered. */
  static final ImmediateLayout.Field OPCODE = LAYOUT.field("opcode");

  /** Which call it belongs to. */
  static final ImmediateLayout.Field CALL = LAYOUT.field("call");

  /** Of a client: takes back a request. */
  static final int CANCEL = 0;

  /** Of a server: an answer. */
  static final int ANSWER = 0;

  /** Of a server: an error. */
  static final int ERROR = 1;

  /** Bytes before a request's body. */
  static final int REQUEST_HEADER = 4;

  /** Bytes before an error's text. */
  static final int ERROR_HEADER = 4;

  /** The longest deadline, milliseconds: 24 days. */
  static final long MAX_DEADLINE = Integer.MAX_VALUE;

  private RpcWire() {}

  static long immediate(int opcode, int call) {
    return CALL.set(OPCODE.set(0, opcode), call);
  }

  /** Refuses an opcode that no request has. */
  static void checkOpcode(int opcode) {
    if (opcode < 1 || opcode > OPCODE.max()) {
      throw new IllegalArgumentException("an opcode is 1..255, was " + opcode);
    }
  }

  /** An error, its text cut to what fits. */
  static Buffer error(int code, String text, int slotSize) {
    byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, slotSize - ERROR_HEADER);
    // Not within a character: further bytes of one are 10xxxxxx.
    while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    return Buffer.buffer(ERROR_HEADER + length)
        .appendInt(code)
        .appendBytes(Arrays.copyOf(bytes, length));
  }

  /** An error that came. */
  static RpcException error(Buffer message) {
    if (message.length() < ERROR_HEADER) {
      throw new ProtocolException("an error of only " + message.length() + " bytes");
    }
    return new RpcException(
        message.getInt(0), message.getString(ERROR_HEADER, message.length(), "UTF-8"));
  }

  /** Refuses a length that a message can't have. */
  static void checkLength(String what, long length, int least, int most) {
    if (length < least || length > most) {
      throw new ProtocolException(
          what + " must have " + least + ".." + most + " bytes, has " + length);
    }
  }
}
