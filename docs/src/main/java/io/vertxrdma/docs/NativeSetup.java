package io.vertxrdma.docs;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import java.util.ArrayList;
import java.util.List;

/** The code of the chapter on setting up a native device. */
public final class NativeSetup {

  private NativeSetup() {}

  /** What this machine has, in words; blocking. */
  public static List<String> look() {
    // tag::look[]
    List<String> found = new ArrayList<>();
    RdmaProvider provider = RdmaProviders.named("native");
    Availability availability = provider.availability(); // never throws
    found.add(availability.cause() + ": " + availability.reason());
    if (availability.isAvailable()) {
      for (DeviceContext device : provider.devices()) {
        found.add(device.name() + " has " + device.addresses(1));
      }
    }
    // end::look[]
    return found;
  }
}
