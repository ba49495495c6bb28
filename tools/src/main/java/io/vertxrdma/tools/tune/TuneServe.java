package io.vertxrdma.tools.tune;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.TerminalLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The side that listens. */
@Command(
    name = "serve",
    description = "Be the other side until a client's run is over, and exit.",
    sortOptions = false)
final class TuneServe implements Callable<Integer> {

  private final Environment environment;

  @Option(
      names = "--address",
      paramLabel = "A",
      description = "Address to listen on; default: one of the provider's devices.")
  private String address;

  @Mixin private TuneOptions options;

  TuneServe(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    options.check();
    Quiet.logging();
    RdmaProvider provider = options.provider.forLocal(environment, address);
    String where = address == null ? DeviceAddress.of(provider) : address;
    int queue = DeviceQueue.of(options.provider.deviceOf(provider, where)).entries();
    TerminalLine line = TerminalLine.onTerminal(environment.err());
    int steps =
        Session.run(
            session ->
                new StepServer(session.vertx(), provider, queue, options.timeoutMillis(), line)
                    .serve(
                        options.port,
                        where,
                        () ->
                            environment
                                .err()
                                .println("listening on " + where + ":" + options.port)));
    environment.out().println("served " + steps + " steps");
    environment.out().flush();
    return ExitCode.OK;
  }
}
