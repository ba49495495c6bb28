package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps values in memory, a limited number of them. */
final class KeyValueInMemory implements KeyValue {

  private static final int MAX_KEYS = 100_000;
  private static final int FULL = 507;
  private static final int WRONG = 400;
  private static final long MAX_SLEEP = 60_000;

  private final Vertx vertx;
  private final ConcurrentHashMap<String, String> values = new ConcurrentHashMap<>();

  KeyValueInMemory(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public Future<Void> put(String key, String value) {
    if (key == null || value == null) {
      return Future.failedFuture(new RpcException(WRONG, "a key and a value are needed"));
    }
    if (values.size() >= MAX_KEYS && !values.containsKey(key)) {
      return Future.failedFuture(new RpcException(FULL, "there are " + MAX_KEYS + " keys already"));
    }
    values.put(key, value);
    return Future.succeededFuture();
  }

  @Override
  public Future<String> get(String key) {
    String value = key == null ? null : values.get(key);
    return value == null
        ? Future.failedFuture(new RpcException(NO_SUCH_KEY, "there is no key " + key))
        : Future.succeededFuture(value);
  }

  @Override
  public Future<JsonObject> count(String text) {
    JsonObject counts = new JsonObject();
    for (String word : String.valueOf(text).toLowerCase(Locale.ROOT).split("\\P{L}+")) {
      if (!word.isEmpty()) {
        counts.put(word, counts.getInteger(word, 0) + 1);
      }
    }
    return Future.succeededFuture(counts);
  }

  @Override
  public Future<String> sleep(long millis) {
    if (millis < 1 || millis > MAX_SLEEP) {
      return Future.failedFuture(
          new RpcException(WRONG, "sleeping takes 1.." + MAX_SLEEP + " ms, was " + millis));
    }
    Promise<String> awake = Promise.promise();
    vertx.setTimer(millis, fired -> awake.complete("slept for " + millis + " ms"));
    return awake.future();
  }
}
