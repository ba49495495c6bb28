package io.vertxrdma.reactive.impl;

import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Turns a host name into its addresses, in order, without blocking. */
@FunctionalInterface
interface HostNames {

  /** One address or more, or a failed future. */
  Future<List<InetAddress>> resolve(ContextInternal context, String host);

  /** Looks up with the resolver of the Vert.x instance; literal addresses need no lookup. */
  static HostNames of(VertxInternal vertx) {
    return (context, host) -> {
      InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
      if (literal != null) {
        return context.succeededFuture(List.of(literal));
      }
      Promise<List<InetAddress>> promise = context.promise();
      vertx
          .nameResolver()
          .resolveAll(
              host,
              found -> {
                if (found.failed()) {
                  promise.fail(found.cause());
                } else if (found.result().isEmpty()) {
                  promise.fail(new UnknownHostException(host + ": no addresses"));
                } else {
                  promise.complete(
                      found.result().stream().map(InetSocketAddress::getAddress).toList());
                }
              });
      return promise.future();
    };
  }
}
