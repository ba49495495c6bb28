package io.vertxrdma.tools.ping;

import io.vertx.core.Future;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsRun;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The side that connects. */
@Command(
    name = "connect",
    description = "Ping a server (rping -s, or ping serve) and say how long it took.",
    sortOptions = false)
final class PingConnect implements Callable<Integer> {

  /** One READ at a time in either direction; retries as often as every driver ends to. */
  private static final ConnParam PARAMETERS = new ConnParam(null, 1, 1, 0, 6, 7, false, 0);

  private final Environment environment;

  @Mixin private PingOptions options;

  @Option(
      names = {"-C", "--count"},
      paramLabel = "N",
      defaultValue = "10",
      description = "Pings; default: ${DEFAULT-VALUE}.")
  private int count;

  @Option(
      names = {"-V", "--validate"},
      description = "Compare what comes back with what was sent.")
  private boolean validate;

  PingConnect(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    options.check();
    options.range("--count", count, 1, Integer.MAX_VALUE);
    RdmaProvider provider = options.provider.forPeer(environment, options.address);
    double micros =
        Session.run(
            session ->
                new VerbsRun(session, provider, PingMemory.options(options.size), options.timeout)
                    .connect(options.socketAddress(), PARAMETERS, this::measure));
    environment
        .out()
        .printf(
            Locale.ROOT,
            "%d pings of %d bytes%s, round trip %.2f us%n",
            count,
            options.size,
            validate ? ", all as sent" : "",
            micros);
    environment.out().flush();
    return ExitCode.OK;
  }

  private Future<Double> measure(VerbsConnection connection) {
    long start = System.nanoTime();
    return new PingClient(connection, count, options.size, validate)
        .start()
        .map(done -> (System.nanoTime() - start) / 1e3 / count);
  }
}
