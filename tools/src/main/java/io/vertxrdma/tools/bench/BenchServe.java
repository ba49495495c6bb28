package io.vertxrdma.tools.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The side that listens: serves one client. */
@Command(
    name = "serve",
    description = "Wait for one client, measure, and exit.",
    sortOptions = false)
final class BenchServe implements Callable<Integer> {

  private final Environment environment;

  @Mixin private BenchOptions options;

  BenchServe(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    options.check();
    RdmaProvider provider = options.provider.forLocal(environment, options.address);
    String figure = Session.run(session -> new Run(session, provider).start());
    if (!figure.isEmpty()) {
      environment.out().println(figure);
      environment.out().flush();
    }
    return ExitCode.OK;
  }

  /** One run. */
  private final class Run {

    private final Session session;
    private final RdmaServer server;
    private final Promise<String> outcome = Promise.promise();
    private long timer;
    private boolean taken;

    Run(Session session, RdmaProvider provider) {
      this.session = session;
      RdmaServerOptions serverOptions =
          options.apply(new RdmaServerOptions()).setAcceptTimeout(options.stepMillis());
      this.server = RdmaServer.create(session.vertx(), serverOptions, provider);
    }

    Future<String> start() {
      server.connectRequestHandler(this::requested);
      return server
          .listen(options.port, options.address)
          .compose(
              listening -> {
                environment.err().println("listening on " + options.address + ":" + options.port);
                timer =
                    session
                        .vertx()
                        .setTimer(
                            options.timeoutMillis(),
                            fired ->
                                outcome.tryFail(
                                    new CommandFailure(
                                        "no client came within " + options.timeout + " seconds")));
                return outcome.future();
              })
          .eventually(server::close);
    }

    private void requested(ConnectRequest request) {
      if (taken) {
        request.reject();
        return;
      }
      taken = true;
      session.vertx().cancelTimer(timer);
      request
          .memory()
          .allocate(BenchOptions.INBOX, options.verb.access())
          .compose(
              inbox ->
                  request
                      .accept(inbox.remote().encode())
                      .compose(
                          connection ->
                              Exchanges.server(session.vertx(), connection, inbox, options)
                                  .checking(
                                      options.check
                                          ? new Payload(
                                              inbox.byteBuffer(),
                                              inbox.byteBuffer(),
                                              options.length,
                                              false)
                                          : null)
                                  .reporting(Progress.onTerminal(environment.err()))
                                  .start(options.timeoutMillis())
                                  .compose(
                                      figure -> connection.closed().map(figure),
                                      failure ->
                                          connection
                                              .close()
                                              .transform(closed -> Future.failedFuture(failure)))))
          .onComplete(outcome);
    }
  }
}
