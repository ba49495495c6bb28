package io.vertxrdma.tools.ping;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.verbs.VerbsRun;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The side that listens: answers one client. */
@Command(
    name = "serve",
    description = "Wait for one client (rping -c, or ping connect) and answer it.",
    sortOptions = false)
final class PingServe implements Callable<Integer> {

  private final Environment environment;

  @Mixin private PingOptions options;

  PingServe(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    options.check();
    RdmaProvider provider = options.provider.forLocal(environment, options.address);
    int served =
        Session.run(
            session ->
                new VerbsRun(session, provider, PingMemory.options(options.size), options.timeout)
                    .serve(
                        options.socketAddress(),
                        () ->
                            environment
                                .err()
                                .println("listening on " + options.address + ":" + options.port),
                        connection -> new PingServer(connection, options.size).start()));
    environment.out().println("answered " + served + " pings");
    environment.out().flush();
    return ExitCode.OK;
  }
}
