package io.vertxrdma.soft.wire;

/** BTH opcodes of the RC and UD transports (IBTA volume 1, chapter 9; kernel rxe_opcode.c). */
public final class Opcode {
  public static final int RC_SEND_FIRST = 0x00;
  public static final int RC_SEND_MIDDLE = 0x01;
  public static final int RC_SEND_LAST = 0x02;
  public static final int RC_SEND_LAST_IMM = 0x03;
  public static final int RC_SEND_ONLY = 0x04;
  public static final int RC_SEND_ONLY_IMM = 0x05;
  public static final int RC_WRITE_FIRST = 0x06;
  public static final int RC_WRITE_MIDDLE = 0x07;
  public static final int RC_WRITE_LAST = 0x08;
  public static final int RC_WRITE_LAST_IMM = 0x09;
  public static final int RC_WRITE_ONLY = 0x0A;
  public static final int RC_WRITE_ONLY_IMM = 0x0B;
  public static final int RC_READ_REQUEST = 0x0C;
  public static final int RC_READ_RESPONSE_FIRST = 0x0D;
  public static final int RC_READ_RESPONSE_MIDDLE = 0x0E;
  public static final int RC_READ_RESPONSE_LAST = 0x0F;
  public static final int RC_READ_RESPONSE_ONLY = 0x10;
  public static final int RC_ACKNOWLEDGE = 0x11;
  public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;
  public static final int RC_COMPARE_SWAP = 0x13;
  public static final int RC_FETCH_ADD = 0x14;
  public static final int UD_SEND_ONLY = 0x64;
  public static final int UD_SEND_ONLY_IMM = 0x65;

  private Opcode() {}
}
