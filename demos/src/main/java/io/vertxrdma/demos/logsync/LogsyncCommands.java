package io.vertxrdma.demos.logsync;

import io.vertxrdma.demos.CommandGroup;
import io.vertxrdma.tools.CommandProvider;
import io.vertxrdma.tools.Environment;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Adds {@code logsync} to the {@code vertx-rdma} command. */
public final class LogsyncCommands implements CommandProvider {

  /** For {@link java.util.ServiceLoader}. */
  public LogsyncCommands() {}

  @Override
  public List<CommandLine> commands(Environment environment) {
    return List.of(
        new CommandLine(new Logsync())
            .addSubcommand(new ServeCommand(environment))
            .addSubcommand(new SendCommand(environment))
            .addSubcommand(new DemoCommand(environment)));
  }

  /** Groups the commands. */
  @Command(
      name = "logsync",
      description = "Ship log files over RDMA, the demonstration of flow control.",
      synopsisSubcommandLabel = "COMMAND")
  private static final class Logsync extends CommandGroup {
    Logsync() {
      super("serve, send or demo");
    }
  }
}
