package io.vertxrdma.tools.watch;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.AsyncEvent;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** Tells in JSON, one object a line. */
final class JsonOutput implements WatchOutput {

  private final PrintWriter out;

  JsonOutput(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void watching(Instant time, List<String> devices) {
    print(object(time, "watching").put("devices", new JsonArray(devices)));
  }

  @Override
  public void appeared(Instant time, String provider, String device) {
    print(object(time, "appeared", provider, device));
  }

  @Override
  public void gone(Instant time, String provider, String device) {
    print(object(time, "gone", provider, device));
  }

  @Override
  public void event(Instant time, String provider, AsyncEvent event) {
    JsonObject object = object(time, "event", provider, event.device().name());
    if (event.port() != 0) {
      object.put("port", event.port());
    }
    print(
        object
            .put("type", event.type().nativeName())
            .put("number", event.rawType())
            .put("text", event.type().text()));
  }

  @Override
  public void moved(
      Instant time,
      String provider,
      String device,
      int port,
      SortedMap<String, Long> moved,
      double seconds) {
    JsonObject counters = new JsonObject();
    moved.forEach(
        (name, difference) -> {
          BigInteger unsigned = new BigInteger(Long.toUnsignedString(difference));
          counters.put(
              name,
              new JsonObject()
                  .put("difference", unsigned)
                  .put("perSecond", rounded(unsigned.doubleValue() / seconds)));
        });
    print(
        object(time, "counters", provider, device)
            .put("port", port)
            .put("seconds", rounded(seconds))
            .put("counters", counters));
  }

  @Override
  public void unreadable(Instant time, String provider, String reason) {
    print(object(time, "unreadable").put("provider", provider).put("reason", reason));
  }

  @Override
  public void ended() {
    // The end of the output says it.
  }

  private static JsonObject object(Instant time, String kind) {
    return new JsonObject().put("time", time.toString()).put("kind", kind);
  }

  private static JsonObject object(Instant time, String kind, String provider, String device) {
    return object(time, kind).put("provider", provider).put("device", device);
  }

  private static BigDecimal rounded(double value) {
    return BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros();
  }

  private void print(JsonObject object) {
    out.println(object.encode());
    out.flush();
  }
}
