package io.vertxrdma.core.nativeverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the name of the kernel driver behind a device. */
final class DriverNames {

  private static final Path SYSFS = Path.of("/sys/class/infiniband");
  private static final Pattern SOFTWARE = Pattern.compile("(rxe|siw)[0-9]*");

  private DriverNames() {}

  static String of(String device) {
    return of(SYSFS, device);
  }

  static String of(Path sysfs, String device) {
    Path root = sysfs.resolve(device);
    Path link = root.resolve("device").resolve("driver");
    if (Files.exists(link)) {
      try {
        return link.toRealPath().getFileName().toString();
      } catch (IOException e) {
        return "";
      }
    }
    // Software devices have no bus device. Only rxe has this file, whatever the device is called.
    if (Files.exists(root.resolve("parent"))) {
      return "rxe";
    }
    Matcher matcher = SOFTWARE.matcher(device);
    return matcher.matches() ? matcher.group(1) : "";
  }
}
