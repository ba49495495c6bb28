package io.vertxrdma.reactive;

import io.vertx.core.json.JsonObject;
import java.util.Set;

/** Reads options from JSON and checks ranges, with errors that name key, value and limit. */
final class JsonValues {

  private JsonValues() {}

  static int number(String key, JsonObject json) {
    Number value = value(key, json, Number.class, "a whole number");
    if (value.doubleValue() != value.intValue()) {
      throw new IllegalArgumentException(key + " must be a whole number, was " + value);
    }
    return value.intValue();
  }

  static boolean truth(String key, JsonObject json) {
    return value(key, json, Boolean.class, "true or false");
  }

  static String text(String key, JsonObject json) {
    return value(key, json, String.class, "a string");
  }

  static <V> V value(String key, JsonObject json, Class<V> type, String what) {
    Object value = json.getValue(key);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(key + " must be " + what + ", was " + value);
    }
    return type.cast(value);
  }

  static void unknown(Set<String> keys) {
    if (!keys.isEmpty()) {
      throw new IllegalArgumentException("unknown options: " + keys);
    }
  }

  static int range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be " + least + ".." + most + ", was " + value);
    }
    return value;
  }
}
