package io.vertxrdma.core.nativeverbs;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** One call of a C function as the fake saw it, with the bytes its pointers led to at that time. */
public final class FakeCall {

  private final String name;
  private final long[] arguments;
  private final List<byte[]> structs;
  private final byte[] data;

  FakeCall(String name, long[] arguments, List<byte[]> structs, byte[] data) {
    this.name = name;
    this.arguments = arguments;
    this.structs = structs;
    this.data = data;
  }

  /** The function, for example {@code rdma_connect}. */
  public String name() {
    return name;
  }

  /** An argument as it was passed, pointers as numbers, counted from 0. */
  public long argument(int index) {
    return arguments[index];
  }

  /**
   * The bytes of the structs handed in: the {@code rdma_conn_param}, the destination sockaddr, the
   * {@code ibv_qp_init_attr}, or one entry for each work request of a chain.
   */
  public List<byte[]> structs() {
    return structs;
  }

  /** The first struct; empty when a NULL pointer was passed. */
  public byte[] struct() {
    return structs.isEmpty() ? new byte[0] : structs.get(0);
  }

  /**
   * What the struct points at: private data, the source sockaddr, or the scatter-gather entries of
   * a chain of work requests one after the other.
   */
  public byte[] data() {
    return data;
  }

  /** An unsigned byte of the first struct. */
  public int u8(int offset) {
    return struct()[offset] & 0xFF;
  }

  /** A 32-bit field, in native order, of the first struct. */
  public int i32(int offset) {
    return ByteBuffer.wrap(struct()).order(ByteOrder.nativeOrder()).getInt(offset);
  }

  /** A 64-bit field, in native order, of the first struct. */
  public long i64(int offset) {
    return ByteBuffer.wrap(struct()).order(ByteOrder.nativeOrder()).getLong(offset);
  }

  /** The first struct as a socket address, or null when it is none. */
  public InetSocketAddress address() {
    return FakeMemory.address(struct());
  }

  @Override
  public String toString() {
    return name
        + Arrays.stream(arguments)
            .mapToObj(value -> value > 0xFFFF ? "0x" + Long.toHexString(value) : "" + value)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
