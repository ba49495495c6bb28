package io.vertxrdma.tools;

import io.netty.util.NetUtil;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortAttributes;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What there is to say about one device, as text or as JSON. Limits carry the names of {@code
 * struct ibv_device_attr} (ibv_query_device(3)).
 */
record DeviceReport(
    String provider,
    String name,
    String driver,
    String transport,
    String nodeGuid,
    String firmware,
    List<Port> ports,
    Map<String, Object> limits) {

  private static final Set<String> USUAL_LIMITS =
      Set.of(
          "max_qp_rd_atom",
          "max_qp_init_rd_atom",
          "max_qp_wr",
          "max_cqe",
          "max_sge",
          "max_mr_size",
          "max_srq_wr");
  private static final int INDENT = 14;

  /** One port. */
  record Port(
      int number,
      PortAttributes attributes,
      List<String> addresses,
      List<String> gids,
      SortedMap<String, Long> counters) {

    static Port of(DeviceContext device, int number) {
      Set<String> addresses = new TreeSet<>();
      Set<String> gids = new TreeSet<>();
      for (InetAddress address : device.addresses(number)) {
        addresses.add(NetUtil.toAddressString(address));
        gids.add(gid(address));
      }
      return new Port(
          number,
          device.queryPort(number),
          List.copyOf(addresses),
          List.copyOf(gids),
          device.readCounters(number).values());
    }

    /** As the kernel and ibv_devinfo(1) write them: all digits; IPv4 addresses mapped. */
    private static String gid(InetAddress address) {
      byte[] bytes = address.getAddress();
      String digits = HexFormat.of().formatHex(bytes);
      String all = bytes.length == 4 ? "0".repeat(20) + "ffff" + digits : digits;
      return grouped(all);
    }

    private JsonObject countersJson() {
      JsonObject object = new JsonObject();
      counters.forEach((counter, value) -> object.put(counter, unsigned(value)));
      return object;
    }

    private List<String> movedCounters() {
      List<String> moved = new ArrayList<>();
      counters.forEach(
          (counter, value) -> {
            if (value != 0) {
              moved.add(counter + " " + unsigned(value));
            }
          });
      return moved;
    }

    private JsonObject json() {
      return new JsonObject()
          .put("number", number)
          .put("state", attributes.state().name())
          .put("linkLayer", linkLayer())
          .put("activeMtu", attributes.activeMtu())
          .put("maxMtu", attributes.maxMtu())
          .put("addresses", new JsonArray(addresses))
          .put("gids", new JsonArray(gids))
          .put("counters", countersJson());
    }

    private String linkLayer() {
      return attributes.ethernet() ? "Ethernet" : "InfiniBand";
    }

    private String text() {
      return attributes.state()
          + ", "
          + linkLayer()
          + ", MTU "
          + attributes.activeMtu()
          + " of at most "
          + attributes.maxMtu();
    }
  }

  static DeviceReport of(String provider, DeviceContext device) {
    DeviceAttributes attributes = device.attributes();
    List<Port> ports = new ArrayList<>();
    for (int number = 1; number <= attributes.portCount(); number++) {
      ports.add(Port.of(device, number));
    }
    return new DeviceReport(
        provider,
        device.name(),
        device.driver(),
        device.transport().name(),
        guid(attributes.nodeGuid()),
        attributes.firmwareVersion(),
        ports,
        limits(attributes));
  }

  private static String guid(long guid) {
    return grouped(String.format(Locale.ROOT, "%016x", guid));
  }

  private static String grouped(String digits) {
    return digits.replaceAll("(?<=....)(?=(....)+$)", ":");
  }

  /** A counter is an unsigned 64-bit number. */
  private static Number unsigned(long value) {
    return value >= 0 ? (Number) value : new BigInteger(Long.toUnsignedString(value));
  }

  private static Map<String, Object> limits(DeviceAttributes attributes) {
    Map<String, Object> limits = new LinkedHashMap<>();
    limits.put("max_qp_rd_atom", attributes.maxResponderResources());
    limits.put("max_qp_init_rd_atom", attributes.maxInitiatorDepth());
    limits.put("max_qp_wr", attributes.maxQueuePairWorkRequests());
    limits.put("max_sge", attributes.maxScatterGather());
    limits.put("max_cqe", attributes.maxCompletionQueueEntries());
    limits.put("max_mr_size", attributes.maxMemoryRegionSize());
    limits.put("max_srq_wr", attributes.maxSharedReceiveQueueWorkRequests());
    limits.put("max_qp", attributes.maxQueuePairs());
    limits.put("max_cq", attributes.maxCompletionQueues());
    limits.put("max_mr", attributes.maxMemoryRegions());
    limits.put("max_srq", attributes.maxSharedReceiveQueues());
    limits.put("atomics", attributes.atomics());
    limits.put("vendor_id", String.format(Locale.ROOT, "0x%06x", attributes.vendorId()));
    limits.put("vendor_part_id", attributes.vendorPartId());
    return limits;
  }

  static JsonArray json(List<DeviceReport> reports) {
    JsonArray array = new JsonArray();
    reports.forEach(report -> array.add(report.json()));
    return array;
  }

  private JsonObject json() {
    JsonArray portArray = new JsonArray();
    ports.forEach(port -> portArray.add(port.json()));
    return new JsonObject()
        .put("provider", provider)
        .put("name", name)
        .put("driver", driver)
        .put("transport", transport)
        .put("nodeGuid", nodeGuid)
        .put("firmware", firmware)
        .put("ports", portArray)
        .put("limits", new JsonObject(new LinkedHashMap<>(limits)));
  }

  void print(PrintWriter out, boolean everything) {
    out.println(name + " (" + provider + " provider)");
    line(out, "driver", known(driver));
    line(out, "transport", transport);
    line(out, "node GUID", nodeGuid);
    line(out, "firmware", known(firmware));
    for (Port port : ports) {
      line(out, "port " + port.number(), port.text());
      line(out, "addresses", port.addresses());
      if (everything) {
        line(out, "GIDs", port.gids());
        line(out, "counters", port.movedCounters());
      }
    }
    List<String> shown = new ArrayList<>();
    limits.forEach(
        (key, value) -> {
          if (everything || USUAL_LIMITS.contains(key)) {
            shown.add(key + " " + value);
          }
        });
    line(out, "limits", shown);
  }

  private static String known(String text) {
    return text.isBlank() ? "unknown" : text;
  }

  private static void line(PrintWriter out, String label, String text) {
    out.println(String.format(Locale.ROOT, "  %-12s%s", label, text));
  }

  /** Comma-separated, broken before it gets wider than a terminal. */
  private static void line(PrintWriter out, String label, List<String> items) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      parts.add(items.get(i) + (i + 1 < items.size() ? "," : ""));
    }
    line(out, label, parts.isEmpty() ? "none" : TextColumns.wrapped(parts, INDENT));
  }
}
