package io.vertxrdma.demos.chat;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays a scripted chat between hubs and members, each a process of its own. */
@Command(
    name = "demo",
    description = "Play a scripted chat of several processes: hubs and members.",
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(
      names = "--address",
      paramLabel = "A",
      description = "Address for the hub; default: one of the provider's devices.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = ServeCommand.PORT,
      description = "Port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--hubs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "1, or 3 that find each other, of which one is killed and comes back;"
              + " default: ${DEFAULT-VALUE}.")
  private int hubs;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  DemoCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (hubs != 1 && hubs != 3) {
      throw Arguments.wrong(spec, "--hubs must be 1 or 3, was " + hubs);
    }
    Arguments.range(spec, "--port", port, 1, 65_535 - hubs + 1);
    RdmaProvider selected = provider.forLocal(environment, address);
    try (Cast cast = new Cast(environment, selected.name())) {
      if (hubs == 1) {
        String at = address == null ? DeviceAddress.of(selected) : address;
        cast.says("a hub and three members over the " + selected.name() + " provider at " + at);
        play(cast, at);
      } else {
        cast.says("three hubs, a member at each, over the " + selected.name() + " provider");
        new HubsScript(cast, selected, address, port).play();
      }
      cast.says("everybody heard what they should");
    }
    return ExitCode.OK;
  }

  private void play(Cast cast, String hubAddress) throws InterruptedException {
    cast.hub("hub", hubAddress, port, "--room", "demo");
    DemoProcess ada = cast.member("ada", hubAddress, port);
    DemoProcess bob = cast.member("bob", hubAddress, port);
    ada.sees("bob joined");
    ada.types("hello, this line is an RDMA write into each member's ring");
    bob.sees("ada: hello");
    bob.types("and the immediate said which slot to read");
    ada.sees("bob: and the immediate");
    // She comes late and hears what was said: an RDMA READ of the hub's memory.
    DemoProcess eve = cast.late("eve", hubAddress, port);
    eve.sees("ada: hello");
    eve.sees("bob: and the immediate");
    eve.sees("welcome to demo");
    ada.sees("eve joined");
    eve.types("/who");
    eve.sees("here: ada, bob, eve");
    bob.types("/quit");
    if (bob.exitStatus() != 0) {
      throw new CommandFailure("bob left with exit status " + bob.exitStatus());
    }
    ada.sees("bob left");
    eve.sees("bob left");
  }
}
