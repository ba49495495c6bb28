package io.vertxrdma.tools.ping;

import io.vertxrdma.tools.Environment;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the two sides of a ping. */
@Command(
    name = "ping",
    description = "Exchange data by sends, reads and writes, as rping does and with it.",
    synopsisSubcommandLabel = "COMMAND")
public final class PingCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  private PingCommand() {}

  /** The command with its subcommands. */
  public static CommandLine commandLine(Environment environment) {
    return new CommandLine(new PingCommand())
        .addSubcommand(new PingServe(environment))
        .addSubcommand(new PingConnect(environment));
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "a command is missing: serve or connect");
  }
}
