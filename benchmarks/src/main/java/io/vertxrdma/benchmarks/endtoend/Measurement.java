package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * One figure.
 *
 * @param subject what was measured, for example {@code soft, two processes}
 * @param quantity what about it, for example {@code round trip p50}
 * @param value how much
 * @param unit of what
 */
public record Measurement(String subject, String quantity, double value, String unit) {

  /** Figures for another program. */
  public static JsonArray json(List<Measurement> measured) {
    JsonArray json = new JsonArray();
    for (Measurement each : measured) {
      json.add(
          new JsonObject()
              .put("subject", each.subject())
              .put("quantity", each.quantity())
              // JSON has no word for what could not be measured.
              .put("value", Double.isFinite(each.value()) ? each.value() : null)
              .put("unit", each.unit()));
    }
    return json;
  }
}
