package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a hub until it is interrupted. */
@Command(name = "serve", description = "Run the hub of a room.", sortOptions = false)
final class ServeCommand implements Callable<Integer> {

  /** Where hubs listen if nothing else is said. */
  static final String PORT = "18516";

  /** Lines that may wait for the hub's own screen. */
  private static final int SCREEN_LINES = 1_000;

  private final Environment environment;

  @Option(
      names = "--address",
      paramLabel = "A",
      defaultValue = "0.0.0.0",
      description = "Address of an RDMA device; default: all.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = PORT,
      description = "Port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--room",
      paramLabel = "NAME",
      defaultValue = "lobby",
      description = "Name of the room; default: ${DEFAULT-VALUE}.")
  private String room;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  ServeCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    String objection = Greeting.objectionTo("room", room, Greeting.MAX_ROOM);
    if (objection != null) {
      throw new ParameterException(spec.commandLine(), objection);
    }
    checkPort(spec, port);
    RdmaProvider selected = provider.forLocal(environment, address);
    PlainConsole console = new PlainConsole(environment);
    try (Printer printer = new Printer(console::print, SCREEN_LINES)) {
      return Session.run(session -> serve(session, selected, printer));
    }
  }

  static void checkPort(CommandSpec spec, int port) {
    if (port < 1 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "--port must be 1..65535, was " + port);
    }
  }

  private Future<Integer> serve(Session session, RdmaProvider selected, Printer printer) {
    ChatServer server =
        new ChatServer(session.vertx(), selected, room, line -> printer.print(line, () -> {}));
    Promise<Integer> interrupted = Promise.promise();
    return server
        .listen(port, address)
        .compose(
            listening -> {
              environment.err().println("listening on " + address + ":" + port);
              return interrupted.future();
            })
        .map(ExitCode.OK)
        .eventually(server::close);
  }
}
