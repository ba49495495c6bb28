package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsConnector;
import io.vertxrdma.tools.verbs.VerbsListener;
import io.vertxrdma.tools.verbs.VerbsOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The other end of a program of perftest that was started with {@code -R}: one connection to talk,
 * then one for the traffic, both to the same port.
 */
final class PerftestPeer {

  /** What perftest asks for where the device has as many: rxe's. */
  private static final int DEPTH = 128;

  private static final ConnParam PARAMETERS = new ConnParam(null, DEPTH, DEPTH, 0, 7, 7, false, 0);

  private static final int STEP_MILLIS = 20_000;
  private static final int RETRY_MILLIS = 50;
  private static final int TIMEOUT_SECONDS = 100;

  private final Session session;
  private final RdmaProvider provider;
  private final PerftestProgram program;
  private final InetSocketAddress address;
  private final int iterations;
  private final int size;
  private final List<VerbsConnection> connections = new ArrayList<>();

  PerftestPeer(
      Session session,
      RdmaProvider provider,
      PerftestProgram program,
      InetSocketAddress address,
      int iterations,
      int size) {
    this.session = session;
    this.provider = provider;
    this.program = program;
    this.address = address;
    this.iterations = iterations;
    this.size = size;
  }

  /** Is the server of one client; what came of it. */
  Future<String> serve(Runnable listening) {
    return onLoop(
        loop ->
            VerbsListener.listen(loop, address)
                .compose(
                    listener -> {
                      listening.run();
                      return talk(true, options -> accept(listener, options))
                          .compose(result -> peerDisconnects().map(result))
                          .eventually(this::close)
                          .eventually(listener::close);
                    }));
  }

  /** Is the client of a server; what came of it. */
  Future<String> ask() {
    return onLoop(loop -> talk(false, options -> connect(loop, options)).eventually(this::close));
  }

  private Future<String> onLoop(Function<RdmaLoop, Future<String>> work) {
    CloseFuture use = new CloseFuture();
    return RdmaLoop.acquire(session.context(), provider, use)
        .compose(work)
        .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .eventually(use::close);
  }

  private static Future<VerbsConnection> accept(VerbsListener listener, VerbsOptions options) {
    return listener.next().compose(request -> request.accept(options, null));
  }

  /** Tries until the server listens, which it does anew for each connection. */
  private Future<VerbsConnection> connect(RdmaLoop loop, VerbsOptions options) {
    return VerbsConnector.connect(loop, address, options, PARAMETERS, STEP_MILLIS)
        .recover(
            failure ->
                failure instanceof ConnectionRejectedException refused
                        && refused.reason() == RejectReason.INVALID_SERVICE_ID
                    ? pause().compose(rested -> connect(loop, options))
                    : Future.failedFuture(failure));
  }

  private Future<Void> pause() {
    return Future.future(
        promise -> session.vertx().setTimer(RETRY_MILLIS, fired -> promise.complete()));
  }

  private Future<String> talk(
      boolean server, Function<VerbsOptions, Future<VerbsConnection>> next) {
    return opened(next, PerftestTalk.OPTIONS)
        .compose(
            control -> {
              PerftestTalk talk = new PerftestTalk(control, server);
              return talk.introduce()
                  .compose(introduced -> talk.shake(1, PerftestEnd.NONE))
                  .compose(shaken -> opened(next, PerftestTraffic.options(iterations, size)))
                  .compose(data -> exchange(server, talk, traffic(data)));
            });
  }

  private Future<VerbsConnection> opened(
      Function<VerbsOptions, Future<VerbsConnection>> next, VerbsOptions options) {
    return next.apply(options)
        .map(
            connection -> {
              connections.add(connection);
              return connection;
            });
  }

  private PerftestTraffic traffic(VerbsConnection data) {
    return new PerftestTraffic(session.vertx(), data, iterations, size);
  }

  private Future<String> exchange(boolean server, PerftestTalk talk, PerftestTraffic traffic) {
    return talk.shake(1 + program.handshakes(), traffic.mine())
        .compose(peer -> server ? traffic.serve(program, peer) : traffic.ask(program, peer))
        .compose(
            done ->
                program.reports()
                    ? talk.shake(1, traffic.mine()).compose(shaken -> talk.report(size, iterations))
                    : Future.succeededFuture("none"))
        .compose(
            reported ->
                program.farewell()
                    ? talk.shake(1, traffic.mine()).map(reported)
                    : Future.succeededFuture(reported))
        .map(
            reported ->
                server
                    ? traffic.served(program) + ", reported: " + reported
                    : iterations + " of " + size + " bytes done");
  }

  private Future<Void> peerDisconnects() {
    return Future.all(
            connections.stream()
                .map(one -> one.disconnected().compose(ended -> one.close()))
                .toList())
        .mapEmpty();
  }

  private Future<Void> close() {
    return Future.join(connections.stream().map(VerbsConnection::close).toList()).mapEmpty();
  }
}
