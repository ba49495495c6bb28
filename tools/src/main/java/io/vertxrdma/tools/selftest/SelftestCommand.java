package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tries everything that connections are used for, within this process. */
@Command(
    name = "selftest",
    description = "Try everything that connections are used for, and compare the data.",
    sortOptions = false,
    footer = {
      "",
      "Server and client are in this process, on the same device. The time of a check",
      "starts when it is connected, unless connecting is what it checks."
    })
public final class SelftestCommand implements Callable<Integer> {

  /** Of logback.xml, which is read when the first logger is made. */
  private static final String LOG_LEVEL = "vertx.rdma.log.level";

  private final Environment environment;
  private final List<Check> checks;

  @Option(
      names = "--address",
      paramLabel = "A",
      description = "Address of the device; default: one of the provider's devices.")
  private String address;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "30",
      description =
          "Seconds that each check may take, and again its close, 1 to 600; default:"
              + " ${DEFAULT-VALUE}.")
  private int timeout;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  private SelftestCommand(Environment environment, List<Check> checks) {
    this.environment = environment;
    this.checks = checks;
  }

  /** The command. */
  public static CommandLine commandLine(Environment environment) {
    return commandLine(environment, Checks.all());
  }

  static CommandLine commandLine(Environment environment, List<Check> checks) {
    return new CommandLine(new SelftestCommand(environment, checks));
  }

  @Override
  public Integer call() {
    if (timeout < 1 || timeout > 600) {
      throw new ParameterException(spec.commandLine(), "--timeout must be 1..600, was " + timeout);
    }
    // Checks provoke what the library warns of; those who want to see it say so.
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "ERROR");
    }
    RdmaProvider selected = provider.forLocal(environment, address);
    String where = address == null ? DeviceAddress.of(selected) : address;
    DeviceContext device = provider.deviceOf(selected, where);
    Report report = new Report(environment.out(), selected.name(), device.name(), where, json);
    List<Outcome> outcomes = Session.run(session -> run(session, selected, where, report));
    report.end(outcomes);
    return outcomes.stream().anyMatch(outcome -> outcome.result() == Outcome.Result.FAIL)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private Future<List<Outcome>> run(
      Session session, RdmaProvider selected, String where, Report report) {
    int millis = timeout * 1_000;
    // Where nobody can listen there is one thing to say and not one for each check.
    Trial first = new Trial(session.vertx(), selected, where, millis);
    return first
        .listen(new RdmaServerOptions(), ConnectRequest::reject)
        .eventually(first::close)
        .compose(
            listened -> {
              report.begin();
              return new Selftest(session.vertx(), selected, where, millis, report::add)
                  .run(checks);
            });
  }
}
