package io.vertxrdma.tools.doctor;

import io.netty.util.NetUtil;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.doctor.Finding.Verdict;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * Looks at everything RDMA needs on a machine, from the library down to the port, and says of each
 * what to do. What only the native provider needs is a failure when that was asked for, otherwise a
 * warning.
 */
final class Examination {

  /** Pinned memory below this is used up by one connection with large buffers. */
  private static final long LITTLE_LOCKED_MEMORY = 64L << 20;

  private static final int ROCE_PORT = 4791;

  private final Host host;
  private final List<RdmaProvider> providers;
  private final String wanted;
  private final InetAddress address;
  private final Verdict nativeTrouble;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * Prepares it.
   *
   * @param wanted the provider asked for
   * @param address the address that will be used, or null
   */
  Examination(Host host, List<RdmaProvider> providers, String wanted, InetAddress address) {
    this.host = host;
    this.providers = providers;
    this.wanted = wanted;
    this.address = address;
    this.nativeTrouble =
        new ProviderSelection(providers).nameFor(wanted).equals(ProviderSelection.NATIVE)
            ? Verdict.FAIL
            : Verdict.WARN;
  }

  List<Finding> findings() {
    library();
    modules();
    deviceFiles();
    lockedMemory();
    ports();
    udpPort();
    addresses();
    selection();
    return List.copyOf(findings);
  }

  private void add(String subject, Verdict verdict, String text, String remedy) {
    findings.add(new Finding(subject, verdict, text, remedy));
  }

  private RdmaProvider provider(String name) {
    return providers.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  private void library() {
    RdmaProvider hardware = provider(ProviderSelection.NATIVE);
    if (hardware == null) {
      add("library", nativeTrouble, "no native provider on the class path", "");
      return;
    }
    String reason = hardware.availability().reason();
    switch (hardware.availability().cause()) {
      case AVAILABLE -> findings.add(Finding.ok("library", reason));
      case LIBRARY_MISSING ->
          add("library", nativeTrouble, reason, "Debian: apt install librdmacm1 libibverbs1");
      case LAYOUT_MISMATCH, UNSUPPORTED_PLATFORM -> add("library", nativeTrouble, reason, "");
      case KERNEL_SUPPORT_MISSING, NO_DEVICE, NO_RIGHTS ->
          findings.add(Finding.ok("library", "librdmacm and libibverbs load"));
    }
  }

  private void modules() {
    List<String> missing = new ArrayList<>();
    for (String module : List.of("ib_uverbs", "rdma_ucm")) {
      if (!host.hasModule(module)) {
        missing.add(module);
      }
    }
    String rxe = host.hasModule("rdma_rxe") ? "; rdma_rxe (soft-RoCE) is loaded" : "";
    if (missing.isEmpty()) {
      findings.add(Finding.ok("modules", "ib_uverbs and rdma_ucm are loaded" + rxe));
    } else {
      add(
          "modules",
          nativeTrouble,
          "not loaded: " + String.join(", ", missing) + rxe,
          "as root: modprobe -a " + String.join(" ", missing));
    }
  }

  private void deviceFiles() {
    List<Host.DeviceFile> files = host.deviceFiles();
    if (files.isEmpty()) {
      add(
          "device files",
          nativeTrouble,
          "there is nothing in /dev/infiniband",
          "they come with the modules; in a container pass /dev/infiniband through");
      return;
    }
    StringJoiner usable = new StringJoiner(", ");
    StringJoiner closed = new StringJoiner(", ");
    files.forEach(file -> (file.usable() ? usable : closed).add(file.path()));
    if (closed.length() == 0) {
      findings.add(Finding.ok("device files", usable + ": readable and writable"));
    } else {
      add(
          "device files",
          nativeTrouble,
          "no right to read and write " + closed,
          "add the user to the group that owns them, often 'rdma', or adjust the udev rule");
    }
    if (files.stream().noneMatch(file -> file.path().contains("uverbs"))) {
      add(
          "device files",
          nativeTrouble,
          "no uverbs file: the kernel has no RDMA device",
          noDevice());
    }
  }

  private static String noDevice() {
    return "with a card: load its driver; without: rdma link add rxe0 type rxe netdev NAME";
  }

  private void lockedMemory() {
    OptionalLong limit = host.lockedMemoryLimit();
    if (limit.isEmpty()) {
      findings.add(Finding.ok("locked memory", "no limit"));
    } else if (limit.getAsLong() >= LITTLE_LOCKED_MEMORY) {
      findings.add(Finding.ok("locked memory", "up to " + mebibytes(limit.getAsLong())));
    } else {
      add(
          "locked memory",
          Verdict.WARN,
          "registered memory of the native provider is limited to " + mebibytes(limit.getAsLong()),
          "ulimit -l unlimited, LimitMEMLOCK= of a systemd unit, --ulimit memlock=-1 of docker");
    }
  }

  private static String mebibytes(long bytes) {
    return bytes < 1 << 20 ? bytes / 1024 + " KiB" : (bytes >> 20) + " MiB";
  }

  private void ports() {
    for (Host.Port port : host.ports()) {
      String subject = "port";
      String name = port.device() + "/" + port.number();
      if (port.state().equals("ACTIVE")) {
        findings.add(Finding.ok(subject, name + " is ACTIVE, link " + port.physicalState()));
      } else {
        add(
            subject,
            nativeTrouble,
            name + " is " + port.state() + ", link " + port.physicalState(),
            port.state().equals("INIT")
                ? "InfiniBand: start a subnet manager"
                : "check the cable; RoCE: ip link set NETDEV up");
      }
    }
  }

  /** Who else would take the packets of the soft provider. */
  private void udpPort() {
    if (!host.isThisMachine()) {
      return;
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (DatagramChannel channel = DatagramChannel.open()) {
      // As the provider itself does, so that its other sockets don't count.
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, false);
      try (DatagramSocket socket = channel.socket()) {
        socket.bind(new InetSocketAddress(loopback, ROCE_PORT));
      }
      findings.add(
          Finding.ok(
              "UDP 4791", "free on " + loopback.getHostAddress() + " for the soft provider"));
    } catch (IOException taken) {
      add(
          "UDP 4791",
          Verdict.WARN,
          loopback.getHostAddress() + ": " + taken.getMessage(),
          host.hasModule("rdma_rxe")
              ? "the kernel's rxe holds it: use the native provider, or a network namespace"
              : "another process uses RoCE in software; the soft provider takes other 127/8 ones");
    }
  }

  private void addresses() {
    for (RdmaProvider provider : providers) {
      if (!provider.availability().isAvailable()) {
        continue;
      }
      try {
        for (DeviceContext device : provider.devices()) {
          StringJoiner addresses = new StringJoiner(", ");
          for (int port = 1; port <= device.attributes().portCount(); port++) {
            device.addresses(port).forEach(each -> addresses.add(NetUtil.toAddressString(each)));
          }
          if (addresses.length() > 0) {
            findings.add(
                Finding.ok(
                    "address", addresses + " on " + device.name() + " (" + provider.name() + ")"));
          } else {
            add(
                "address",
                Verdict.WARN,
                device.name() + " has no IP address, so nobody can connect to it",
                "ip address add ADDRESS/BITS dev NETDEV");
          }
        }
      } catch (RdmaException failure) {
        add("address", nativeTrouble, provider.name() + ": " + failure.getMessage(), "");
      }
    }
  }

  private void selection() {
    String what = address == null ? "by default" : "on " + NetUtil.toAddressString(address);
    try {
      ProviderSelection.Selected selected =
          new ProviderSelection(providers).forLocal(wanted, address);
      findings.add(
          Finding.ok(
              "provider",
              selected.provider().name() + " is used " + what + ": " + selected.reason()));
      ownsAddress(selected.provider());
    } catch (RdmaException unusable) {
      add("provider", Verdict.FAIL, unusable.getMessage(), "see above");
    }
  }

  private void ownsAddress(RdmaProvider provider) {
    if (address != null && provider.deviceFor(address).isEmpty()) {
      add(
          "provider",
          Verdict.FAIL,
          "no device of the " + provider.name() + " provider has the address",
          provider.name().equals(ProviderSelection.SOFT)
              ? "is it an address of this host, and listed in vertx.rdma.soft.addresses?"
              : "see the addresses above");
    }
  }
}
