package io.vertxrdma.demos.rpc;

import io.vertxrdma.demos.CommandGroup;
import io.vertxrdma.tools.CommandProvider;
import io.vertxrdma.tools.Environment;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Adds {@code rpc} to the {@code vertx-rdma} command. */
public final class RpcCommands implements CommandProvider {

  /** For {@link java.util.ServiceLoader}. */
  public RpcCommands() {}

  @Override
  public List<CommandLine> commands(Environment environment) {
    return List.of(
        new CommandLine(new Rpc())
            .addSubcommand(new ServeCommand(environment))
            .addSubcommand(new CallCommand(environment))
            .addSubcommand(new DemoCommand(environment)));
  }

  /** Groups the commands. */
  @Command(
      name = "rpc",
      description = "Request and response over RDMA, the demonstration of a service.",
      synopsisSubcommandLabel = "COMMAND")
  private static final class Rpc extends CommandGroup {
    Rpc() {
      super("serve, call or demo");
    }
  }
}
