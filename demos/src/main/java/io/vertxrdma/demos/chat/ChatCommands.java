package io.vertxrdma.demos.chat;

import io.vertxrdma.tools.CommandProvider;
import io.vertxrdma.tools.Environment;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Adds {@code chat} to the {@code vertx-rdma} command. */
public final class ChatCommands implements CommandProvider {

  /** For {@link java.util.ServiceLoader}. */
  public ChatCommands() {}

  @Override
  public List<CommandLine> commands(Environment environment) {
    return List.of(
        new CommandLine(new Chat())
            .addSubcommand(new ServeCommand(environment))
            .addSubcommand(new JoinCommand(environment))
            .addSubcommand(new DemoCommand(environment)));
  }

  /** Groups the commands of the chat. */
  @Command(
      name = "chat",
      description = "Chat over RDMA, the demonstration.",
      synopsisSubcommandLabel = "COMMAND")
  private static final class Chat implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      throw new ParameterException(spec.commandLine(), "a command is missing: serve, join or demo");
    }
  }
}
