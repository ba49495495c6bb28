package io.vertxrdma.demos.rpc;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves keys and values in one process and calls them from another. */
@Command(
    name = "demo",
    description =
        "Call a service in another process: once, many times at once, with a deadline that is"
            + " missed, and with a call that is cancelled.",
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Calls to measure; default: ${DEFAULT-VALUE}.")
  private int calls;

  @Option(
      names = "--address",
      paramLabel = "A",
      description = "Address for the server; default: one of the provider's devices.")
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
    Arguments.range(spec, "--calls", calls, 2, Integer.MAX_VALUE);
    Arguments.port(spec, port);
    RdmaProvider selected = provider.forLocal(environment, address);
    String server = address == null ? DeviceAddress.of(selected) : address;
    say("--", "a server and a client over the " + selected.name() + " provider at " + server);
    List<String> common = List.of("--provider", selected.name(), "--port", String.valueOf(port));
    try (DemoProcess serving =
        start("server", List.of("rpc", "serve", "--address", server), common)) {
      serving.sees("listening on");
      try (DemoProcess calling = start("client", List.of("rpc", "call", "--to", server), common)) {
        play(serving, calling);
      }
    }
    say("--", "every call came to the end it should");
    return ExitCode.OK;
  }

  private void play(DemoProcess server, DemoProcess client) throws InterruptedException {
    client.types("put colour blue");
    client.sees("put colour blue -> done");
    client.types("get colour");
    client.sees("get colour -> blue");
    client.types("get shape");
    client.sees("get shape -> error 404: there is no key shape");
    // The first calls load classes; they are not what is to be measured.
    client.types("--count " + Math.min(calls, 1_000) + " get colour");
    client.sees(" answered, 0 failed");
    client.types("--count " + calls + " get colour");
    client.sees(calls + " answered, 0 failed");
    client.types("--deadline 100 sleep 3000");
    client.sees("deadline missed: no answer within 100 ms");
    client.types("--cancel-after 100 sleep 3000");
    client.sees("cancelled: the call was cancelled");
    // Both answers come after all, and nobody waits for them; the slots have long been free.
    server.sees("1 too late, 1 cancelled, 2 late answers dropped");
    client.typesNoMore();
    int status = client.exitStatus();
    if (status != ExitCode.FAILED) {
      throw new IllegalStateException(
          "the client ended with exit status " + status + ", but calls have failed");
    }
  }

  private DemoProcess start(String name, List<String> arguments, List<String> common) {
    List<String> all = new java.util.ArrayList<>(arguments);
    all.addAll(common);
    return new DemoProcess(name, line -> say(name, line), all);
  }

  private void say(String who, String line) {
    environment.out().printf("%-6s| %s%n", who, line);
    environment.out().flush();
  }
}
