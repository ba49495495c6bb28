package io.vertxrdma.tools.bench;

import io.vertx.core.Future;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The side that connects. */
@Command(name = "connect", description = "Connect, measure, and exit.", sortOptions = false)
final class BenchConnect implements Callable<Integer> {

  private final Environment environment;

  @Mixin private BenchOptions options;

  BenchConnect(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    options.check();
    RdmaProvider provider = options.provider.forPeer(environment, options.address);
    String figure = Session.run(session -> run(session, provider));
    if (!figure.isEmpty()) {
      environment.out().println(figure);
      environment.out().flush();
    }
    return ExitCode.OK;
  }

  private Future<String> run(Session session, RdmaProvider provider) {
    AtomicReference<RegisteredBuffer> inbox = new AtomicReference<>();
    RdmaClient client =
        RdmaClient.create(
            session.vertx(),
            options
                .apply(new RdmaClientOptions())
                .setConnectTimeout(options.stepMillis())
                .setResolveTimeout(options.stepMillis()),
            provider);
    return client
        .connect(
            options.port,
            options.address,
            memory ->
                memory
                    .allocateInbox(BenchOptions.INBOX)
                    .onSuccess(inbox::set)
                    .map(made -> made.remote().encode()))
        .compose(connection -> exchange(session, connection, inbox.get()))
        .eventually(client::close);
  }

  private Future<String> exchange(
      Session session, RdmaConnection connection, RegisteredBuffer inbox) {
    return connection
        .memory()
        .allocate(Math.max(1, options.length))
        .compose(
            source ->
                Exchanges.client(session.vertx(), connection, source, options)
                    .checking(
                        options.check
                            ? new Payload(
                                source.byteBuffer(), inbox.byteBuffer(), options.length, true)
                            : null)
                    .reporting(Progress.onTerminal(environment.err()))
                    .start(options.timeoutMillis()))
        .compose(
            figure -> connection.closed().map(figure),
            failure -> connection.close().transform(closed -> Future.failedFuture(failure)));
  }
}
