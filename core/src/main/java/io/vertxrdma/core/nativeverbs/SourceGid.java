package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Which port of a device, and which entry of its GID table, has an address.
 *
 * <p>Network cards list an address twice, for RoCE version 1 and 2. Only sysfs tells the two apart
 * everywhere; version 2 is the one that goes over IP.
 *
 * @param port the port
 * @param index the entry
 */
record SourceGid(int port, int index) {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");
  private static final String ROCE_V2 = "RoCE v2";
  private static final int HIGHEST_INDEX = 255;

  /**
   * Looks an address up.
   *
   * @throws AddressException when the device does not have it
   */
  static SourceGid of(NativeDeviceContext device, InetAddress address) {
    return of(device, address, DEVICES);
  }

  static SourceGid of(NativeDeviceContext device, InetAddress address, Path devices) {
    SourceGid other = null;
    byte[] wanted = AhAttributes.gid(address);
    try (Memory.Block gid = Memory.allocate(wanted.length)) {
      for (int port = 1; port <= device.attributes().portCount(); port++) {
        int entries = Math.min(device.queryPort(port).gidTableLength(), HIGHEST_INDEX + 1);
        for (int i = 0; i < entries; i++) {
          if (device.calls.ibv_query_gid(device.context(), (byte) port, i, gid.address()) == 0
              && Arrays.equals(Memory.getBytes(gid.address(), wanted.length), wanted)) {
            SourceGid found = new SourceGid(port, i);
            if (found.type(device.name(), devices).equals(ROCE_V2)) {
              return found;
            }
            other = other == null ? found : other;
          }
        }
      }
    }
    if (other == null) {
      Errno errno = Errno.EADDRNOTAVAIL;
      String about = "device " + device.name() + " does not have " + address.getHostAddress();
      throw new AddressException(
          "ibv_create_ah",
          errno.number(),
          errno.name(),
          RdmaException.ofErrno("ibv_create_ah", errno.number(), about).getMessage());
    }
    return other;
  }

  private String type(String device, Path devices) {
    Path file = devices.resolve(device + "/ports/" + port + "/gid_attrs/types/" + index);
    try {
      return Files.readString(file).trim();
    } catch (IOException unknown) {
      // No sysfs here: any entry of the address is as good as another.
      return "";
    }
  }
}
