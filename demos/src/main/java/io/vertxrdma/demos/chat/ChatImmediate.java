package io.vertxrdma.demos.chat;

/**
 * The 32 bits that come with a write: what it means, and a number.
 *
 * <pre>
 *  31        24 23                                0
 * +------------+-----------------------------------+
 * |    type    |               value               |
 * +------------+-----------------------------------+
 * </pre>
 */
final class ChatImmediate {

  /** Bits of the value. */
  static final int VALUE_BITS = 24;

  /** The largest value. */
  static final int MAX_VALUE = (1 << VALUE_BITS) - 1;

  private ChatImmediate() {}

  /** What an immediate means. */
  enum Type {
    /** A line was written; the value is its sequence number, whose low bits are the slot. */
    LINE(1),
    /** The reader gives slots back; the value is how many. */
    CREDIT(2);

    private final int code;

    Type(int code) {
      this.code = code;
    }
  }

  /**
   * The immediate for a type and a value.
   *
   * @throws IllegalArgumentException for a value that is not 0..16777215
   */
  static long encode(Type type, int value) {
    if (value < 0 || value > MAX_VALUE) {
      throw new IllegalArgumentException("value must be 0.." + MAX_VALUE + ", was " + value);
    }
    return (long) type.code << VALUE_BITS | value;
  }

  /**
   * The type of an immediate.
   *
   * @throws ProtocolException for a type there is not
   */
  static Type type(int immediate) {
    int code = immediate >>> VALUE_BITS;
    for (Type type : Type.values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new ProtocolException("immediate of unknown type " + code);
  }

  /** The value of an immediate. */
  static int value(int immediate) {
    return immediate & MAX_VALUE;
  }
}
