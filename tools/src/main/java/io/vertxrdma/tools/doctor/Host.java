package io.vertxrdma.tools.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What the kernel shows of this machine in its file systems. The root is a parameter, so that other
 * machines can be had too.
 *
 * @param root normally {@code /}
 */
record Host(Path root) {

  private static final String DEVICES = "dev/infiniband";
  private static final String MODULES = "sys/module";
  private static final String INFINIBAND = "sys/class/infiniband";
  private static final String LOCKED = "Max locked memory";

  /** A device file and whether this user may use it. */
  record DeviceFile(String path, boolean usable) {}

  /** A port as the kernel has it. */
  record Port(String device, String number, String state, String physicalState) {}

  /** Whether the root is that of this machine: then what is no file can be asked too. */
  boolean isThisMachine() {
    return root.equals(Path.of("/"));
  }

  /** The connection manager's file and those of the devices. */
  List<DeviceFile> deviceFiles() {
    List<DeviceFile> found = new ArrayList<>();
    for (Path file : list(DEVICES)) {
      String name = file.getFileName().toString();
      if (name.equals("rdma_cm") || name.startsWith("uverbs")) {
        found.add(
            new DeviceFile(
                "/" + DEVICES + "/" + name, Files.isReadable(file) && Files.isWritable(file)));
      }
    }
    return found;
  }

  /** Whether the kernel has a module, loaded or built in with parameters. */
  boolean hasModule(String name) {
    return Files.isDirectory(root.resolve(MODULES).resolve(name));
  }

  /** Every port of every RDMA device. */
  List<Port> ports() {
    List<Port> found = new ArrayList<>();
    for (Path device : list(INFINIBAND)) {
      for (Path port : list(INFINIBAND + "/" + device.getFileName() + "/ports")) {
        found.add(
            new Port(
                device.getFileName().toString(),
                port.getFileName().toString(),
                afterColon(port.resolve("state")),
                afterColon(port.resolve("phys_state"))));
      }
    }
    return found;
  }

  /** How many bytes this process may lock; empty for no limit or an unknown one. */
  OptionalLong lockedMemoryLimit() {
    return lines(root.resolve("proc/self/limits"))
        .filter(line -> line.startsWith(LOCKED))
        .map(line -> line.substring(LOCKED.length()).trim().split("\\s+")[0])
        .filter(limit -> limit.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** "4: ACTIVE" without the number. */
  private static String afterColon(Path file) {
    String text = lines(file).findFirst().orElse("unknown");
    return text.substring(text.indexOf(':') + 1).trim();
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException missing) {
      return Stream.empty();
    }
  }

  private List<Path> list(String folder) {
    return Optional.of(root.resolve(folder))
        .filter(Files::isDirectory)
        .map(Host::sorted)
        .orElse(List.of());
  }

  private static List<Path> sorted(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
