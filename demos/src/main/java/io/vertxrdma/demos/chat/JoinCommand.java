package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Joins a hub: what is typed or piped in is said, what others say is shown. */
@Command(
    name = "join",
    description = "Join a room. Say /who to see who is here, /quit to leave.",
    sortOptions = false)
final class JoinCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(
      names = "--address",
      required = true,
      paramLabel = "A",
      description = "Address of the hub.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = ServeCommand.PORT,
      description = "Its port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--nick",
      required = true,
      paramLabel = "NICK",
      description = "Who you are: up to 24 bytes of letters, digits, '.', '_', '-'.")
  private String nick;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  JoinCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    String objection = Greeting.objectionTo("nickname", nick, Greeting.MAX_NICK);
    if (objection != null) {
      throw new ParameterException(spec.commandLine(), objection);
    }
    ServeCommand.checkPort(spec, port);
    RdmaProvider selected = provider.forPeer(environment, address);
    try (Console console = Console.open(environment, nick + "> ");
        Printer printer = new Printer(console::print, Integer.MAX_VALUE)) {
      Session.run(session -> chat(session, selected, console, printer));
    }
    return ExitCode.OK;
  }

  private Future<Void> chat(
      Session session, RdmaProvider selected, Console console, Printer printer) {
    return ChatMember.join(
        session,
        selected,
        new InetSocketAddress(address, port),
        nick,
        (message, shown) -> printer.print(message.line(), shown),
        member -> {
          Thread input = new Thread(() -> new Talk(console, printer, member).run(), "chat-input");
          // It may be blocked reading when the connection ends.
          input.setDaemon(true);
          input.start();
        });
  }
}
