package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.MemoryLockException;
import io.vertxrdma.core.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes typed exceptions from the several ways in which native calls say what went wrong. */
final class NativeErrors {

  private static final Path LIMITS = Path.of("/proc/self/limits");

  private NativeErrors() {}

  /**
   * The errno behind a result that is not 0. rdma_ functions return -1 and set errno, most ibv_
   * functions return the errno, some drivers return it negated. Never 0 or less.
   */
  static int number(NativeCalls calls, int result) {
    if (result > 0) {
      return result;
    }
    int errno = result == -1 ? calls.errno() : -result;
    return errno > 0 ? errno : Errno.EIO.number();
  }

  static void check(NativeCalls calls, String operation, int result, String about) {
    if (result != 0) {
      throw RdmaException.ofErrno(operation, number(calls, result), about);
    }
  }

  /** The address in the form people write it. */
  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  /** A bind, listen or resolve that failed because of an address, or for another reason. */
  static RdmaException address(
      String operation, int errno, InetSocketAddress address, NativeRuntime runtime) {
    if (address == null) {
      return RdmaException.ofErrno(operation, errno);
    }
    Errno known = Errno.of(errno);
    String message = RdmaException.ofErrno(operation, errno, text(address)).getMessage();
    if (known == Errno.EADDRINUSE) {
      return new AddressInUseException(operation, errno, known.name(), message);
    }
    if (known == Errno.EADDRNOTAVAIL && address.getPort() != 0 && isOurs(address, runtime)) {
      // The kernel says so for a port that is taken when one of the two is a wildcard, and old
      // kernels always do.
      return new AddressInUseException(
          operation, errno, known.name(), message + "; Address already in use");
    }
    if (known == Errno.EADDRNOTAVAIL
        || known == Errno.ENODEV
        || known == Errno.ENETUNREACH
        || known == Errno.ENETDOWN
        || known == Errno.EHOSTUNREACH
        || known == Errno.EAFNOSUPPORT) {
      return new AddressException(operation, errno, known.name(), message + "; " + hint(address));
    }
    return RdmaException.ofErrno(operation, errno, text(address));
  }

  /** A loopback address that the kernel took although no device can serve it. */
  static AddressException loopback(String operation, InetSocketAddress address) {
    int errno = Errno.EADDRNOTAVAIL.number();
    return new AddressException(
        operation,
        errno,
        Errno.EADDRNOTAVAIL.name(),
        RdmaException.ofErrno(operation, errno, text(address)).getMessage() + "; " + hint(address));
  }

  private static boolean isOurs(InetSocketAddress address, NativeRuntime runtime) {
    return address.getAddress().isAnyLocalAddress()
        || runtime.deviceFor(address.getAddress()).isPresent();
  }

  private static String hint(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress()
        ? "no RDMA device for address "
            + address.getAddress().getHostAddress()
            + "; use the network card's own address"
        : "no RDMA device has or reaches this address";
  }

  /** A registration that failed. */
  static RdmaException registration(int errno, long bytes, String device) {
    String operation = "ibv_reg_mr";
    RdmaException plain =
        RdmaException.ofErrno(operation, errno, bytes + " bytes on device " + device);
    if (errno != Errno.ENOMEM.number()) {
      return plain;
    }
    return new MemoryLockException(
        operation,
        errno,
        Errno.ENOMEM.name(),
        plain.getMessage()
            + "; the locked memory limit (RLIMIT_MEMLOCK) is "
            + lockedMemoryLimit()
            + "; raise it (ulimit -l, or LimitMEMLOCK in a systemd unit) or give the process"
            + " CAP_IPC_LOCK");
  }

  static String lockedMemoryLimit() {
    return lockedMemoryLimit(LIMITS);
  }

  static String lockedMemoryLimit(Path limits) {
    String name = "Max locked memory";
    try {
      for (String line : Files.readAllLines(limits)) {
        if (line.startsWith(name)) {
          String soft = line.substring(name.length()).trim().split("\\s+")[0];
          return soft.equals("unlimited") ? soft : soft + " bytes";
        }
      }
    } catch (IOException e) {
      return "unknown (" + e + ")";
    }
    return "unknown";
  }
}
