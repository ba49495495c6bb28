package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.Availability.Cause;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What can be seen of this machine without the native libraries: platform, device files, devices.
 */
final class Machine {

  private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64", "arm64");

  private final String system;
  private final String processor;
  private final Path cmDevice;
  private final Path devices;

  Machine(String system, String processor, Path root) {
    this.system = system;
    this.processor = processor;
    this.cmDevice = root.resolve("dev/infiniband/rdma_cm");
    this.devices = root.resolve("sys/class/infiniband");
  }

  /** The machine this runs on. */
  static Machine real() {
    return new Machine(System.getProperty("os.name"), System.getProperty("os.arch"), Path.of("/"));
  }

  /** Why the platform is none of ours, or empty. */
  Optional<Availability> unsupported() {
    if ("Linux".equals(system) && PROCESSORS.contains(processor.toLowerCase(Locale.ROOT))) {
      return Optional.empty();
    }
    return Optional.of(
        Availability.unavailable(
            Cause.UNSUPPORTED_PLATFORM,
            "native RDMA needs Linux on x86_64 or aarch64, this is "
                + system
                + " on "
                + processor));
  }

  /**
   * What already the files show to be in the way, or empty. Asked before librdmacm is, which waits
   * several seconds for a device file that is not there.
   */
  Optional<Availability> obstacle() {
    if (Files.exists(cmDevice)) {
      return Files.isReadable(cmDevice) && Files.isWritable(cmDevice)
          ? Optional.empty()
          : Optional.of(
              Availability.unavailable(
                  Cause.NO_RIGHTS,
                  "this user may not read and write " + cmDevice + " (Permission denied)"));
    }
    return hasDevices()
        ? Optional.of(
            Availability.unavailable(
                Cause.KERNEL_SUPPORT_MISSING,
                "there are RDMA devices but no "
                    + cmDevice
                    + "; load the kernel module rdma_ucm, or in a container pass the file in"))
        : Optional.empty();
  }

  /** Whether the kernel has any RDMA support loaded. */
  boolean hasModules() {
    return Files.isDirectory(devices) || Files.exists(cmDevice);
  }

  /** Whether the kernel has RDMA devices, usable or not. */
  boolean hasDevices() {
    if (!Files.isDirectory(devices)) {
      return false;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(devices)) {
      return entries.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
