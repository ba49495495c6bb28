package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.chat.room.Names;
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
import picocli.CommandLine.Spec;

/** Joins a hub: what is typed or piped in is said, what others say is shown. */
@Command(
    name = "join",
    description = "Join a room. Say /who, /rooms, /join ROOM or /quit.",
    sortOptions = false)
final class JoinCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(
      names = "--address",
      defaultValue = "127.0.0.1",
      paramLabel = "A",
      description = "Address of the hub; default: ${DEFAULT-VALUE}.")
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

  @Option(
      names = "--room",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The room; default: the hub's first. Rooms that are not there yet are made.")
  private String room;

  @Mixin private HeartbeatOption heartbeat;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  JoinCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    String objection = Names.objectionToNick(nick);
    if (objection != null) {
      throw Arguments.wrong(spec, "--nick " + nick + ": " + objection);
    }
    objection = room.isEmpty() ? null : Names.objectionToRoom(room);
    if (objection != null) {
      throw Arguments.wrong(spec, "--room " + room + ": " + objection);
    }
    Arguments.port(spec, port);
    ChatMember.Wish wish =
        new ChatMember.Wish(new InetSocketAddress(address, port), heartbeat.millis(), nick, room);
    RdmaProvider selected = provider.forPeer(environment, address);
    try (Console console = Console.open(environment, nick + "> ");
        Printer<Shown> printer = new Printer<>(console::print, Integer.MAX_VALUE)) {
      Session.run(session -> chat(session, selected, wish, console, printer));
    }
    return ExitCode.OK;
  }

  private static Future<Void> chat(
      Session session,
      RdmaProvider selected,
      ChatMember.Wish wish,
      Console console,
      Printer<Shown> printer) {
    return ChatMember.join(
        session,
        selected,
        wish,
        new Screen() {
          @Override
          public void show(Shown what, Runnable shown) {
            printer.print(what, shown);
          }

          @Override
          public void room(String name) {
            console.setPrompt(wish.nick() + "@" + name + "> ");
          }
        },
        member -> {
          Thread input = new Thread(new Talk(console, printer, member), "chat-input");
          // It may be blocked reading when the connection ends.
          input.setDaemon(true);
          input.start();
        });
  }
}
