package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;

/** An {@code ibv_ah}. */
final class NativeAddressHandle extends NativeObject implements AddressHandle {

  private static final String KIND = "address handles";

  private final NativeProtectionDomain domain;

  private NativeAddressHandle(NativeProtectionDomain domain, String device, long pointer) {
    super(domain.calls, "address handle of " + device, pointer);
    this.domain = domain;
  }

  /** Makes one of a path. */
  static NativeAddressHandle create(
      NativeProtectionDomain domain,
      NativeDeviceContext device,
      AddressHandleAttributes attributes) {
    try (Memory.Block attr = AhAttributes.allocate(attributes)) {
      return create(
          domain,
          device,
          "ibv_create_ah",
          attributes.toString(),
          pd -> domain.calls.ibv_create_ah(pd, attr.address()));
    }
  }

  /** Makes one that leads back to where a completion came from. */
  static NativeAddressHandle create(
      NativeProtectionDomain domain,
      NativeDeviceContext device,
      WorkCompletions completions,
      int index,
      ByteBuffer receiveBuffer,
      int port) {
    if (!(completions instanceof NativeWorkCompletions batch)) {
      throw new IllegalArgumentException("completions of another provider: " + completions);
    }
    if (port < 1 || port > 255) {
      throw new IllegalArgumentException("port must be 1..255, was " + port);
    }
    byte[] header = header(receiveBuffer);
    try (Memory.Block grh = Memory.allocate(header.length)) {
      Memory.putBytes(grh.address(), header);
      return create(
          domain,
          device,
          "ibv_create_ah_from_wc",
          "port " + port,
          pd ->
              domain.calls.ibv_create_ah_from_wc(
                  pd, batch.address(index), grh.address(), (byte) port));
    }
  }

  private static byte[] header(ByteBuffer receiveBuffer) {
    int length = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;
    if (receiveBuffer.remaining() < length) {
      throw new IllegalArgumentException(
          "a received datagram begins with "
              + length
              + " bytes of header, the buffer has "
              + receiveBuffer.remaining());
    }
    byte[] header = new byte[length];
    receiveBuffer.duplicate().get(header);
    return header;
  }

  private interface Creation {
    long create(long pd);
  }

  private static NativeAddressHandle create(
      NativeProtectionDomain domain,
      NativeDeviceContext device,
      String operation,
      String about,
      Creation creation) {
    NativeCalls calls = domain.calls;
    domain.users.acquire(KIND);
    try {
      long pointer = creation.create(domain.pointer());
      if (pointer == 0) {
        throw RdmaException.ofErrno(operation, calls.errno(), device.name() + ", " + about);
      }
      try {
        LayoutCheck.addressHandle(pointer, device.context(), domain.pointer());
        return new NativeAddressHandle(domain, device.name(), pointer);
      } catch (RuntimeException failure) {
        calls.ibv_destroy_ah(pointer);
        throw failure;
      }
    } catch (RuntimeException failure) {
      domain.users.release(KIND);
      throw failure;
    }
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  void destroy(long address) {
    NativeErrors.check(calls, "ibv_destroy_ah", calls.ibv_destroy_ah(address), description());
    domain.users.release(KIND);
  }
}
