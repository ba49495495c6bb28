package io.vertxrdma.demos.chat;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays a scripted chat between a hub and three members, each a process of its own. */
@Command(
    name = "demo",
    description = "Play a scripted chat: a hub and three members, four processes.",
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

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  DemoCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    Arguments.port(spec, port);
    RdmaProvider selected = provider.forLocal(environment, address);
    String hubAddress = address == null ? DeviceAddress.of(selected) : address;
    say("--", "a hub and three members over the " + selected.name() + " provider at " + hubAddress);
    List<DemoProcess> started = new ArrayList<>();
    try {
      play(selected.name(), hubAddress, started);
    } finally {
      started.forEach(DemoProcess::close);
    }
    say("--", "everybody heard what they should");
    return ExitCode.OK;
  }

  private void play(String providerName, String hubAddress, List<DemoProcess> started)
      throws InterruptedException {
    DemoProcess hub = start(started, "hub", providerName, "serve", hubAddress, "--room", "demo");
    hub.sees("listening on");
    DemoProcess ada = join(started, "ada", providerName, hubAddress);
    DemoProcess bob = join(started, "bob", providerName, hubAddress);
    ada.sees("bob joined");
    ada.types("hello, this line is an RDMA write into each member's ring");
    bob.sees("ada: hello");
    bob.types("and the immediate said which slot to read");
    ada.sees("bob: and the immediate");
    // She comes late and hears what was said: an RDMA READ of the hub's memory.
    DemoProcess eve = start(started, "eve", providerName, "join", hubAddress, "--nick", "eve");
    eve.sees("ada: hello");
    eve.sees("bob: and the immediate");
    eve.sees("welcome to demo");
    ada.sees("eve joined");
    eve.types("/who");
    eve.sees("here: ada, bob, eve");
    bob.types("/quit");
    if (bob.exitStatus() != 0) {
      throw new IllegalStateException("bob left with exit status " + bob.exitStatus());
    }
    ada.sees("bob left");
    eve.sees("bob left");
  }

  private DemoProcess join(
      List<DemoProcess> started, String nick, String providerName, String hubAddress)
      throws InterruptedException {
    DemoProcess member = start(started, nick, providerName, "join", hubAddress, "--nick", nick);
    member.sees("welcome to demo");
    return member;
  }

  private DemoProcess start(
      List<DemoProcess> started,
      String name,
      String providerName,
      String command,
      String hubAddress,
      String option,
      String value) {
    DemoProcess process =
        new DemoProcess(
            name,
            line -> say(name, line),
            List.of(
                "chat",
                command,
                "--provider",
                providerName,
                "--address",
                hubAddress,
                "--port",
                String.valueOf(port),
                option,
                value));
    started.add(process);
    return process;
  }

  private void say(String who, String line) {
    environment.out().printf("%-4s| %s%n", who, line);
    environment.out().flush();
  }
}
