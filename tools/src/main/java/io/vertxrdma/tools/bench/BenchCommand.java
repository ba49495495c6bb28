package io.vertxrdma.tools.bench;

import io.vertxrdma.tools.Environment;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the two sides of a measurement. */
@Command(
    name = "bench",
    description = "Measure latency and rate of a verb between two processes.",
    synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  private BenchCommand() {}

  /** The command with its subcommands. */
  public static CommandLine commandLine(Environment environment) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new BenchServe(environment))
        .addSubcommand(new BenchConnect(environment));
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "a command is missing: serve or connect");
  }
}
