package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** The service of the demonstration. */
interface KeyValue {

  /** The code that {@link #get} fails with when there is no such key. */
  int NO_SUCH_KEY = 404;

  /** Stores a value. */
  @RpcMethod(1)
  Future<Void> put(String key, String value);

  /** Brings a value; fails with {@link #NO_SUCH_KEY} when there is none. */
  @RpcMethod(2)
  Future<String> get(String key);

  /** Counts the words of a text. */
  @RpcMethod(3)
  Future<JsonObject> count(String text);

  /** Answers after so many milliseconds, for those who want to wait, or not. */
  @RpcMethod(4)
  Future<String> sleep(long millis);
}
