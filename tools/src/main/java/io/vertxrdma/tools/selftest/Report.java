package io.vertxrdma.tools.selftest;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.tools.TextColumns;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Tells how a self-test went: as a table that grows, or as one JSON object at the end. */
final class Report {

  private static final String ROW = "%-" + Check.LONGEST_NAME + "s  %-6s  %9s%n";
  private static final int DETAIL_INDENT = 4;

  private final PrintWriter out;
  private final String provider;
  private final String device;
  private final String address;
  private final boolean json;

  Report(PrintWriter out, String provider, String device, String address, boolean json) {
    this.out = out;
    this.provider = provider;
    this.device = device;
    this.address = address;
    this.json = json;
  }

  void begin() {
    if (!json) {
      out.println(device + " (" + provider + " provider) at " + address);
      row("CHECK", "RESULT", "us");
    }
  }

  void add(Outcome outcome) {
    if (json) {
      return;
    }
    boolean well = outcome.detail().isEmpty();
    row(outcome.check(), outcome.result().name(), well ? String.valueOf(outcome.micros()) : "");
    if (!well) {
      out.print(" ".repeat(DETAIL_INDENT));
      out.println(TextColumns.wrapped(outcome.detail(), DETAIL_INDENT));
      out.flush();
    }
  }

  void end(List<Outcome> outcomes) {
    long failed = count(outcomes, Outcome.Result.FAIL);
    long skipped = count(outcomes, Outcome.Result.SKIP);
    if (json) {
      JsonArray checks = new JsonArray();
      outcomes.forEach(outcome -> checks.add(object(outcome)));
      JsonObject all =
          new JsonObject()
              .put("provider", provider)
              .put("device", device)
              .put("address", address)
              .put("passed", failed == 0)
              .put("checks", checks);
      out.println(all.encodePrettily());
    } else {
      String last =
          outcomes.size()
              + " checks: "
              + (outcomes.size() - failed - skipped)
              + " OK, "
              + failed
              + " failed";
      out.println(skipped == 0 ? last : last + ", " + skipped + " not possible on this device");
    }
    out.flush();
  }

  private static JsonObject object(Outcome outcome) {
    JsonObject object =
        new JsonObject()
            .put("check", outcome.check())
            .put("result", outcome.result().name().toLowerCase(Locale.ROOT))
            .put("micros", outcome.micros());
    return outcome.detail().isEmpty() ? object : object.put("detail", outcome.detail());
  }

  private static long count(List<Outcome> outcomes, Outcome.Result result) {
    return outcomes.stream().filter(outcome -> outcome.result() == result).count();
  }

  private void row(String check, String result, String micros) {
    out.print(String.format(Locale.ROOT, ROW, check, result, micros).stripTrailing());
    out.println();
    out.flush();
  }
}
