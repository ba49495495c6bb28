package io.vertxrdma.tools;

import io.netty.util.NetUtil;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortAttributes;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
  private static final int TEXT_WIDTH = 80;
  private static final String INDENT = " ".repeat(14);

  /** One port. */
  record Port(int number, PortAttributes attributes, List<String> addresses) {

    static Port of(DeviceContext device, int number) {
      Set<String> addresses = new TreeSet<>();
      for (InetAddress address : device.addresses(number)) {
        addresses.add(NetUtil.toAddressString(address));
      }
      return new Port(number, device.queryPort(number), List.copyOf(addresses));
    }

    private JsonObject json() {
      return new JsonObject()
          .put("number", number)
          .put("state", attributes.state().name())
          .put("linkLayer", linkLayer())
          .put("activeMtu", attributes.activeMtu())
          .put("maxMtu", attributes.maxMtu())
          .put("addresses", new JsonArray(addresses));
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
    String digits = String.format(Locale.ROOT, "%016x", guid);
    return digits.replaceAll("(?<=....)(?=(....)+$)", ":");
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
    StringBuilder text = new StringBuilder();
    int column = INDENT.length();
    for (int i = 0; i < items.size(); i++) {
      String item = items.get(i) + (i + 1 < items.size() ? "," : "");
      if (i > 0 && column + 1 + item.length() > TEXT_WIDTH) {
        text.append(System.lineSeparator()).append(INDENT);
        column = INDENT.length();
      } else if (i > 0) {
        text.append(' ');
        column++;
      }
      text.append(item);
      column += item.length();
    }
    line(out, label, items.isEmpty() ? "none" : text.toString());
  }
}
