package io.vertxrdma.demos.logsync;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.DeviceAddress;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.TextColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ships logs between two processes, with too few receives and with enough, and compares. */
@Command(
    name = "demo",
    description = {
      "Ship logs between two processes, onto too few receives and onto as many as it takes,"
          + " compare the files and the figures.",
      "With --receives or --srq auto alone, only that is tried; else both, the first with 256."
    },
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {

  private static final int FEW = 256;

  /** Segments before the sequence numbers wrap around, so that the demonstration has that too. */
  private static final long BEFORE_WRAP = 100;

  private final Environment environment;

  @Mixin private ReceivesOption receives;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "1",
      description = "MiB of each log; default: ${DEFAULT-VALUE}.")
  private int megabytes;

  @Option(
      names = "--segment",
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Bytes of a segment; default: ${DEFAULT-VALUE}.")
  private int segment;

  @Option(
      names = "--rnr-timer",
      paramLabel = "CODE",
      defaultValue = "0",
      description =
          "How long a client waits that found no receive; default: ${DEFAULT-VALUE}, which is"
              + " 655 ms, as connection managers leave it. The library's default is 12, 0.64 ms.")
  private int rnrTimer;

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
  public Integer call() throws IOException, InterruptedException {
    receives.check();
    Arguments.port(spec, port);
    Arguments.range(spec, "--rnr-timer", rnrTimer, 0, 31);
    Arguments.range(
        spec,
        "--segment",
        segment,
        1,
        Math.min(Greeting.MAX_SLOT, Greeting.MAX_MEMORY / receives.inflight));
    Arguments.range(spec, "--megabytes", megabytes, 1, 1_024);
    RdmaProvider selected = provider.forLocal(environment, address);
    String server = address == null ? DeviceAddress.of(selected) : address;
    Path directory = Files.createTempDirectory("logsync-demo");
    try {
      say(
          "--",
          receives.clients
              + " clients, "
              + receives.inflight
              + " segments under way each, over the "
              + selected.name()
              + " provider at "
              + server);
      List<Path> logs =
          SampleLogs.write(directory.resolve("in"), receives.clients, (long) megabytes << 20);
      List<Setting> settings = new ArrayList<>();
      boolean both = receives.receives == null && receives.srq == null;
      if (receives.receives != null || both) {
        int few = receives.receives == null ? FEW : receives.receives;
        settings.add(run(selected.name(), server, logs, directory.resolve("few"), few));
      }
      if (receives.srq != null || both) {
        settings.add(run(selected.name(), server, logs, directory.resolve("auto"), null));
      }
      return report(settings);
    } finally {
      delete(directory);
    }
  }

  /**
   * One run and what came of it.
   *
   * @param identical files that came out as they went in
   */
  private record Setting(Integer few, JsonObject server, JsonObject client, int identical) {

    String row() {
      double seconds = client.getLong("nanos") / 1e9;
      double mib = client.getLong("bytes") / (double) (1 << 20);
      return String.format(
          java.util.Locale.ROOT,
          "%-14s %9d %16.0f ms %8.2f %7.1f   %d identical",
          server.getInteger("receives") + (few == null ? " (auto)" : ""),
          server.getLong("refused"),
          client.getLong("longestPauseNanos") / 1e6,
          seconds,
          mib / seconds,
          identical);
    }
  }

  private Setting run(
      String providerName, String server, List<Path> logs, Path directory, Integer few)
      throws IOException, InterruptedException {
    say(
        "--",
        few == null
            ? "as many receives as it takes: " + receives.planned()
            : receives.planned() + " writes at once onto " + few + " receives");
    List<String> common = List.of("--provider", providerName, "--port", String.valueOf(port));
    List<String> serve = new ArrayList<>(List.of("logsync", "serve", "--address", server));
    serve.addAll(common);
    serve.addAll(List.of("--directory", directory.toString(), "--once", "--json"));
    serve.addAll(List.of("--segment", String.valueOf(segment)));
    serve.addAll(List.of("--rnr-timer", String.valueOf(rnrTimer)));
    serve.addAll(List.of("--clients", String.valueOf(receives.clients)));
    serve.addAll(List.of("--inflight", String.valueOf(receives.inflight)));
    serve.addAll(
        List.of("--first-sequence", String.valueOf(SequenceNumbers.MAX + 1 - BEFORE_WRAP)));
    serve.addAll(
        few == null
            ? List.of("--srq", ReceivesOption.AUTO)
            : List.of("--receives", String.valueOf(few)));
    List<String> send = new ArrayList<>(List.of("logsync", "send", "--to", server, "--json"));
    send.addAll(common);
    send.addAll(List.of("--inflight", String.valueOf(receives.inflight)));
    logs.forEach(log -> send.add(log.toString()));
    try (DemoProcess serving = start("server", serve)) {
      serving.sees("listening on");
      try (DemoProcess sending = start("clients", send)) {
        JsonObject client = figures(sending, "clients");
        JsonObject figures = figures(serving, "server");
        return new Setting(few, figures, client, identical(logs, directory));
      }
    }
  }

  private DemoProcess start(String name, List<String> arguments) {
    return new DemoProcess(
        name,
        line -> {
          if (!line.startsWith("{")) {
            say(name, line);
          }
        },
        arguments);
  }

  private static JsonObject figures(DemoProcess process, String name) throws InterruptedException {
    JsonObject figures = new JsonObject(process.sees("figures", line -> line.startsWith("{")));
    int status = process.exitStatus();
    if (status != 0) {
      throw new CommandFailure("the " + name + " process ended with exit status " + status);
    }
    return figures;
  }

  private static int identical(List<Path> logs, Path directory) throws IOException {
    int identical = 0;
    for (Path log : logs) {
      Path copy = directory.resolve(log.getFileName());
      if (Files.isRegularFile(copy) && Files.mismatch(log, copy) == -1) {
        identical++;
      }
    }
    return identical;
  }

  private Integer report(List<Setting> settings) {
    environment.out().println();
    environment.out().println("receives        RNR NAKs    longest pause  seconds   MiB/s   files");
    settings.forEach(setting -> environment.out().println(setting.row()));
    environment.out().println();
    boolean stalled =
        settings.stream().anyMatch(s -> s.few() != null && s.server().getLong("refused") > 0);
    if (stalled) {
      environment
          .out()
          .println(
              TextColumns.wrapped(
                  "RNR NAK: no receive was left when a write came, so the device refused it, and the"
                      + " client's tried again later. The remedy: --srq auto, or in a"
                      + " program ReceivePlan("
                      + receives.clients
                      + ", "
                      + receives.inflight
                      + ").shared(options, device).",
                  0));
    }
    environment.out().flush();
    for (Setting setting : settings) {
      if (setting.identical() < receives.clients) {
        throw new CommandFailure(
            receives.clients - setting.identical() + " files did not come out as they went in");
      }
    }
    say("--", "all files are identical");
    return ExitCode.OK;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private void say(String who, String line) {
    environment.out().printf("%-7s| %s%n", who, line);
    environment.out().flush();
  }
}
