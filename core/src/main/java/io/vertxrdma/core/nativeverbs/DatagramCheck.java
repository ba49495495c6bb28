package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.SendOpcode;

/**
 * What drivers take on trust in a chain of datagrams, one slot per work request: an address handle
 * that is there (librdmacm's drivers follow the pointer) and a message that fits into the MTU (a
 * longer one is lost without an error).
 */
final class DatagramCheck {

  private final NativeAddressHandle[] handles;
  private final boolean[] sends;
  private final long[] lengths;
  private final int maxLength;

  DatagramCheck(int capacity, int maxLength) {
    this.handles = new NativeAddressHandle[capacity];
    this.sends = new boolean[capacity];
    this.lengths = new long[capacity];
    this.maxLength = maxLength;
  }

  void added(int slot, SendOpcode opcode) {
    handles[slot] = null;
    sends[slot] = opcode == SendOpcode.SEND || opcode == SendOpcode.SEND_WITH_IMM;
    lengths[slot] = 0;
  }

  void addressed(int slot, NativeAddressHandle handle) {
    handles[slot] = handle;
  }

  void lengthened(int slot, int unsignedLength) {
    lengths[slot] += Integer.toUnsignedLong(unsignedLength);
  }

  /** How many requests, from the first on, can be handed to the driver. */
  int acceptable(int size) {
    for (int i = 0; i < size; i++) {
      NativeAddressHandle handle = handles[i];
      if (!sends[i] || handle == null || !handle.isOpen() || lengths[i] > maxLength) {
        return i;
      }
    }
    return size;
  }
}
