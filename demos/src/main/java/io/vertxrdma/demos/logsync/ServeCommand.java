package io.vertxrdma.demos.logsync;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.RnrCounters;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes logs from clients and writes them to a directory, until it is interrupted. */
@Command(
    name = "serve",
    description = "Take logs from clients, and write each to a file.",
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {

  /** Where servers listen if nothing else is said. */
  static final String PORT = "18518";

  private static final long PROGRESS_MILLIS = 1_000;
  private static final double MIB = 1 << 20;

  private final Environment environment;

  @Option(
      names = "--directory",
      required = true,
      paramLabel = "DIR",
      description = "Where the logs are written; made if need be.")
  private Path directory;

  @Option(
      names = "--address",
      paramLabel = "A",
      defaultValue = "0.0.0.0",
      description = "Address of an RDMA device; default: all.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = PORT,
      description = "Port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Mixin private ReceivesOption receives;

  @Option(
      names = "--segment",
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Bytes of a segment; default: ${DEFAULT-VALUE}.")
  private int segment;

  @Option(
      names = "--first-sequence",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Sequence number of a new log's first segment, up to 4294967295, after which comes 0;"
              + " default: ${DEFAULT-VALUE}.")
  private long firstSequence;

  @Option(
      names = "--rnr-timer",
      paramLabel = "CODE",
      description =
          "How long a client waits that found no receive, 0 to 31 as in ibv_modify_qp: 0 is 655 ms;"
              + " default: 12, 0.64 ms.")
  private Integer rnrTimer;

  @Option(
      names = "--once",
      description = "End when as many clients as --clients says have come and gone.")
  private boolean once;

  @Option(names = "--json", description = "With --once, print the figures as one JSON object.")
  private boolean json;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  ServeCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException {
    Arguments.port(spec, port);
    receives.check();
    Arguments.range(
        spec,
        "--segment",
        segment,
        1,
        Math.min(Greeting.MAX_SLOT, Greeting.MAX_MEMORY / receives.inflight));
    Arguments.range(spec, "--first-sequence", firstSequence, 0, SequenceNumbers.MAX);
    if (rnrTimer != null) {
      Arguments.range(spec, "--rnr-timer", rnrTimer, 0, 31);
    }
    if (receives.receives != null && receives.srq != null) {
      throw Arguments.wrong(spec, "--receives and --srq exclude each other");
    }
    RdmaProvider selected = provider.forLocal(environment, address);
    RdmaServerOptions options = receives.apply(selected, address);
    if (rnrTimer != null) {
      options.setParameters(options.getParameters().withMinRnrTimer(rnrTimer));
    }
    try (LogDirectory logs = LogDirectory.open(directory, firstSequence)) {
      return Session.run(session -> serve(session, selected, options, logs));
    }
  }

  private Future<Integer> serve(
      Session session, RdmaProvider selected, RdmaServerOptions options, LogDirectory logs) {
    LogsyncServer server =
        new LogsyncServer(
            session.vertx(),
            selected,
            options,
            logs,
            new LogsyncServer.Limits(receives.clients, receives.inflight, segment),
            this::say);
    RnrCounters counters = new RnrCounters(session.vertx(), selected);
    long[] refusedBefore = {0};
    Future<Void> end = once ? server.allEnded() : Promise.<Void>promise().future();
    return server
        .listen(port, address)
        .compose(listening -> counters.read())
        .compose(
            count -> {
              refusedBefore[0] = count.sent();
              environment.err().println("listening on " + address + ":" + port);
              session.vertx().setPeriodic(PROGRESS_MILLIS, progress(server));
              return end;
            })
        .compose(ended -> counters.read())
        .map(
            count -> {
              if (json) {
                int depth = options.getSharedReceives().getDepth();
                say(server.figures().json(depth, count.sent() - refusedBefore[0]).encode());
              }
              return ExitCode.OK;
            })
        .eventually(server::close);
  }

  /** Says how far it is, when something has come since. */
  private io.vertx.core.Handler<Long> progress(LogsyncServer server) {
    long[] before = {0};
    return tick -> {
      long bytes = server.figures().bytes();
      if (bytes != before[0]) {
        say(
            String.format(
                Locale.ROOT,
                "  %d here, %.1f MiB in %d segments durable, %.1f MiB/s, receives used up %d times",
                server.clients(),
                bytes / MIB,
                server.figures().segments(),
                (bytes - before[0]) / MIB / PROGRESS_MILLIS * 1_000,
                server.receivesExhausted()));
        before[0] = bytes;
      }
    };
  }

  private void say(String line) {
    environment.out().println(line);
    environment.out().flush();
  }
}
