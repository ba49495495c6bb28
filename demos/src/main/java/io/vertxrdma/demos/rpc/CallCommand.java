package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.bench.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Calls a server: what the arguments say, or one line after the other of standard input. */
@Command(
    name = "call",
    description = {
      "Call a server. Exit status 1 when a call failed.",
      "Without METHOD each line of standard input is a call, with options as here."
    },
    sortOptions = false)
final class CallCommand implements Callable<Integer> {

  /** A server on a busy machine may take its time. */
  private static final int CONNECT_MILLIS = 60_000;

  private final Environment environment;

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

  @Mixin private SlotsOption slots;

  @Mixin private CallPlan plan;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  CallCommand(Environment environment) {
    this.environment = environment;
  }

  /** A line of a script. */
  @Command(name = "line")
  private static final class Line {
    @Mixin private CallPlan plan;
  }

  @Override
  public Integer call() {
    Arguments.port(spec, port);
    RpcOptions options = slots.options();
    plan.check();
    RdmaProvider selected = provider.forPeer(environment, host);
    return Session.run(
        session ->
            connect(session, selected, options)
                .compose(
                    client ->
                        (plan.isEmpty() ? script(session, client) : one(session, client, plan))
                            .eventually(client::close)));
  }

  private Future<RpcClient> connect(Session session, RdmaProvider selected, RpcOptions options) {
    RdmaClientOptions patient =
        new RdmaClientOptions()
            .setHeartbeatInterval(RpcClient.HEARTBEAT)
            .setConnectTimeout(CONNECT_MILLIS)
            .setResolveTimeout(CONNECT_MILLIS);
    return RpcClient.connect(session.vertx(), selected, patient, port, host, options)
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof HandshakeRejectedException rejected
                        ? new CommandFailure("the server refused: " + rejected.rejection().text())
                        : failure));
  }

  private Future<Integer> one(Session session, RpcClient client, CallPlan called) {
    return CallRun.of(
            session.vertx(), client, called, Progress.onTerminal(environment.err()), this::say)
        .map(allAnswered -> allAnswered ? ExitCode.OK : ExitCode.FAILED);
  }

  /** One line after the other; the worst of their exit codes. */
  private Future<Integer> script(Session session, RpcClient client) {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8));
    Promise<Integer> end = Promise.promise();
    Thread reader = new Thread(() -> read(lines, session, client, end), "rpc-script");
    // It may be blocked reading when the connection ends.
    reader.setDaemon(true);
    reader.start();
    return Future.any(
            end.future(),
            client
                .closed()
                .compose(closed -> Future.failedFuture(new CommandFailure("the server has gone"))))
        .compose(any -> end.future());
  }

  private void read(BufferedReader lines, Session session, RpcClient client, Promise<Integer> end) {
    int worst = ExitCode.OK;
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          worst = Math.max(worst, line(line, session, client));
        }
      }
      end.tryComplete(worst);
    } catch (IOException failure) {
      end.tryFail(new UncheckedIOException(failure));
    } catch (RuntimeException failure) {
      end.tryFail(failure);
    }
  }

  private int line(String text, Session session, RpcClient client) {
    Line line = new Line();
    try {
      new CommandLine(line).parseArgs(text.strip().split("\\s+"));
      line.plan.check();
      if (line.plan.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "a method is missing");
      }
    } catch (ParameterException wrong) {
      say(text + " -> " + wrong.getMessage());
      return ExitCode.USAGE;
    }
    return session.onLoop(() -> one(session, client, line.plan)).await();
  }

  private void say(String line) {
    environment.out().println(line);
    environment.out().flush();
  }
}
