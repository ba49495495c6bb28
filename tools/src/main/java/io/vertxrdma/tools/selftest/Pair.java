package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import java.util.function.BiFunction;

/**
 * Both ends of an established connection.
 *
 * @param server the end that accepted
 * @param client the end that connected
 */
record Pair(End server, End client) {

  /** Does something from the client to the server, and then the other way. */
  Future<Void> eachWay(BiFunction<End, End, Future<Void>> oneWay) {
    return oneWay.apply(client, server).compose(done -> oneWay.apply(server, client));
  }
}
