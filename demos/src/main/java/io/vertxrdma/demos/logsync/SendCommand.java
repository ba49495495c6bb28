package io.vertxrdma.demos.logsync;

import io.vertx.core.Future;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.bench.Progress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ships files to a server, each over a connection of its own. */
@Command(
    name = "send",
    description = "Ship log files. What the server has of one already is not sent again.",
    sortOptions = false)
final class SendCommand implements Callable<Integer> {

  private static final int KIB = 1 << 10;
  private static final int SYSTEM_ACK_TIMEOUT = -1;

  /** A server that posts thousands of receives for the first client may take its time. */
  private static final int CONNECT_MILLIS = 60_000;

  private final Environment environment;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Log files.")
  private List<Path> files;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST",
      description = "Address of the server.")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = ServeCommand.PORT,
      description = "Its port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--inflight",
      paramLabel = "N",
      defaultValue = "512",
      description =
          "Segments under way at most; the server may allow less. Default: ${DEFAULT-VALUE}.")
  private int inflight;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Attempts to connect that may fail in a row, about one a second; default:"
              + " ${DEFAULT-VALUE}.")
  private int attempts;

  @Option(
      names = "--ack-timeout",
      paramLabel = "CODE",
      defaultValue = "-1",
      description =
          "How soon the loss of a server that says nothing is noticed: 4.096 us * 2^CODE, a few"
              + " times; 1 to 31. Too soon on a slow network is worse than too late. Default: the"
              + " system's.")
  private int ackTimeout;

  @Option(names = "--json", description = "Print the figures as one JSON object.")
  private boolean json;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  SendCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException {
    Arguments.port(spec, port);
    Arguments.range(spec, "--inflight", inflight, 1, Greeting.MAX_WINDOW);
    Arguments.range(spec, "--attempts", attempts, 1, Integer.MAX_VALUE);
    if (ackTimeout != SYSTEM_ACK_TIMEOUT) {
      Arguments.range(spec, "--ack-timeout", ackTimeout, 1, 31);
    }
    long bytes = checkFiles();
    RdmaProvider selected = provider.forPeer(environment, host);
    say("* " + files.size() + (files.size() == 1 ? " file, " : " files, ") + bytes / KIB + " KiB");
    ClientFigures figures = new ClientFigures(files.size());
    Progress progress = Progress.onTerminal(environment.err());
    try {
      Session.run(session -> ship(session, selected, figures, progress, bytes));
    } finally {
      environment.out().println(json ? figures.json().encode() : figures.sentence());
      environment.out().flush();
    }
    return ExitCode.OK;
  }

  private long checkFiles() throws IOException {
    Set<String> names = new HashSet<>();
    long bytes = 0;
    for (Path file : files) {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw Arguments.wrong(spec, file + " is no file that can be read");
      }
      String name = file.getFileName().toString();
      String objection = Greeting.objectionTo(name);
      if (objection != null) {
        throw Arguments.wrong(spec, objection);
      }
      if (!names.add(name)) {
        throw Arguments.wrong(spec, "two files have the name " + name);
      }
      bytes += Files.size(file);
    }
    return bytes;
  }

  private Future<Void> ship(
      Session session,
      RdmaProvider selected,
      ClientFigures figures,
      Progress progress,
      long bytes) {
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setSendDepth(inflight)
            .setAckTimeout(ackTimeout)
            // Or one that waits for the server to say that all is durable would not learn of its
            // end.
            .setHeartbeatInterval(LogsyncServer.HEARTBEAT)
            .setConnectTimeout(CONNECT_MILLIS)
            .setResolveTimeout(CONNECT_MILLIS);
    RdmaClient client = RdmaClient.create(session.vertx(), options, selected);
    InetSocketAddress server = new InetSocketAddress(host, port);
    if (bytes >= KIB) {
      progress.start(
          session.vertx(),
          () -> (int) (figures.durableBytes() / KIB),
          (int) Math.min(Integer.MAX_VALUE, bytes / KIB));
    }
    List<Future<Void>> all = new ArrayList<>();
    for (Path file : files) {
      all.add(
          LogSender.ship(
              session.vertx(), client, server, file, inflight, attempts, figures, this::say));
    }
    // All of them, whatever becomes of one: then the first failure.
    return Future.join(all)
        .<Void>mapEmpty()
        .eventually(
            () -> {
              progress.end(session.vertx());
              return client.close();
            });
  }

  private void say(String line) {
    environment.err().println(line);
  }
}
