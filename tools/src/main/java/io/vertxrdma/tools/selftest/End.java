package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.EnumSet;
import java.util.Set;

/**
 * One end of a connection under test.
 *
 * @param name "server" or "client"
 * @param connection the connection
 * @param inbox memory that the other end may use in every way its device is made for
 * @param source memory to send from and to read into
 */
record End(
    String name, RdmaConnection connection, RegisteredBuffer inbox, RegisteredBuffer source) {

  /** Bytes of inbox and source. */
  static final int BYTES = 64 * 1024;

  /** Allocates the memory of an end. */
  static Future<End> of(String name, RdmaConnection connection) {
    Set<AccessFlag> access =
        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    DeviceContext device = connection.device();
    if (device.attributes().atomics()) {
      access.add(AccessFlag.REMOTE_ATOMIC);
    }
    return connection
        .memory()
        .allocate(BYTES, access)
        .compose(
            inbox ->
                connection
                    .memory()
                    .allocate(BYTES)
                    .map(source -> new End(name, connection, inbox, source)));
  }

  /** The inbox as the other end sees it. */
  RemoteMemory remote() {
    return inbox.remote();
  }

  /** The first bytes of the inbox. */
  Buffer received(int length) {
    return inbox.getBuffer(0, length);
  }

  /** Bytes of which neighbours differ, also those a packet or a page apart. */
  static Buffer pattern(int seed, int length) {
    Buffer bytes = Buffer.buffer(length);
    for (int i = 0; i < length; i++) {
      bytes.appendByte((byte) (seed + 31 * i + 7 * (i >> 8) + (i >> 12)));
    }
    return bytes;
  }
}
