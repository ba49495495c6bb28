package io.vertxrdma.core;

/** The Linux errnos that RDMA calls report, with their symbolic names and texts. */
public enum Errno {
  /** Not permitted. */
  EPERM(1, "Operation not permitted"),
  /** No such file. */
  ENOENT(2, "No such file or directory"),
  /** Interrupted. */
  EINTR(4, "Interrupted system call"),
  /** Input or output error. */
  EIO(5, "Input/output error"),
  /** No such device or address. */
  ENXIO(6, "No such device or address"),
  /** Nothing there now. */
  EAGAIN(11, "Resource temporarily unavailable"),
  /** Out of memory, locked memory, or queue entries. */
  ENOMEM(12, "Cannot allocate memory"),
  /** No rights. */
  EACCES(13, "Permission denied"),
  /** Bad address. */
  EFAULT(14, "Bad address"),
  /** Busy. */
  EBUSY(16, "Device or resource busy"),
  /** No such device. */
  ENODEV(19, "No such device"),
  /** Invalid argument. */
  EINVAL(22, "Invalid argument"),
  /** Too many open files. */
  EMFILE(24, "Too many open files"),
  /** No space. */
  ENOSPC(28, "No space left on device"),
  /** Not implemented. */
  ENOSYS(38, "Function not implemented"),
  /** No data. */
  ENODATA(61, "No data available"),
  /** Protocol error. */
  EPROTO(71, "Protocol error"),
  /** Not supported. */
  EOPNOTSUPP(95, "Operation not supported"),
  /** Address family not supported. */
  EAFNOSUPPORT(97, "Address family not supported by protocol"),
  /** Address taken. */
  EADDRINUSE(98, "Address already in use"),
  /** Address not on an RDMA device. */
  EADDRNOTAVAIL(99, "Cannot assign requested address"),
  /** Network down. */
  ENETDOWN(100, "Network is down"),
  /** No route. */
  ENETUNREACH(101, "Network is unreachable"),
  /** Aborted. */
  ECONNABORTED(103, "Software caused connection abort"),
  /** Reset. */
  ECONNRESET(104, "Connection reset by peer"),
  /** Not connected. */
  ENOTCONN(107, "Transport endpoint is not connected"),
  /** Timed out. */
  ETIMEDOUT(110, "Connection timed out"),
  /** Refused. */
  ECONNREFUSED(111, "Connection refused"),
  /** Host down. */
  EHOSTDOWN(112, "Host is down"),
  /** Host unreachable. */
  EHOSTUNREACH(113, "No route to host");

  private final int number;
  private final String text;

  Errno(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** The number on Linux. */
  public int number() {
    return number;
  }

  /** The text as strerror(3) has it. */
  public String text() {
    return text;
  }

  /** The errno of that number, or null when it has no name here. */
  public static Errno of(int number) {
    for (Errno errno : values()) {
      if (errno.number == number) {
        return errno;
      }
    }
    return null;
  }

  /** For example {@code EINVAL (22): Invalid argument}; a number without a name stays a number. */
  public static String describe(int number) {
    Errno errno = of(number);
    return errno == null ? "errno " + number : errno + " (" + number + "): " + errno.text;
  }

  /** The symbolic name, or {@code "errno N"}. */
  public static String nameOf(int number) {
    Errno errno = of(number);
    return errno == null ? "errno " + number : errno.name();
  }
}
