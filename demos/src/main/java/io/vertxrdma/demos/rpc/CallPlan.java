package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.demos.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What is to be called, how often and how; a mixin, of the command and of each line of a script.
 */
final class CallPlan {

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      description = "Calls; default: ${DEFAULT-VALUE}.")
  int count;

  @Option(
      names = "--inflight",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "Calls that are begun before one has ended; what is beyond the slots waits. Default:"
              + " ${DEFAULT-VALUE}.")
  int inflight;

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      description = "Milliseconds to wait for an answer; default: as long as it takes.")
  Integer deadline;

  @Option(
      names = "--cancel-after",
      paramLabel = "MS",
      description = "Cancel the call after so many milliseconds.")
  Integer cancelAfter;

  @Parameters(
      paramLabel = "METHOD ARG",
      arity = "0..*",
      description =
          "put KEY VALUE, get KEY, count TEXT or sleep MS; from a script if there is none.")
  List<String> words = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses what is out of range, and methods that there are not. */
  void check() {
    Arguments.range(command, "--count", count, 1, Integer.MAX_VALUE);
    Arguments.range(command, "--inflight", inflight, 1, 1 << 20);
    if (deadline != null) {
      Arguments.range(command, "--deadline", deadline, 1, Integer.MAX_VALUE);
    }
    if (cancelAfter != null) {
      Arguments.range(command, "--cancel-after", cancelAfter, 1, Integer.MAX_VALUE);
      if (count > 1) {
        throw Arguments.wrong(command, "--cancel-after is for one call, --count was " + count);
      }
    }
    if (!words.isEmpty()) {
      checkMethod();
    }
  }

  private void checkMethod() {
    int arguments =
        switch (method()) {
          case "put" -> 2;
          case "get", "count", "sleep" -> 1;
          default ->
              throw Arguments.wrong(
                  command, "there are put, get, count and sleep, but no " + method());
        };
    if (words.size() - 1 != arguments) {
      throw Arguments.wrong(
          command,
          method()
              + " takes "
              + arguments
              + (arguments == 1 ? " argument, not " : " arguments, not ")
              + (words.size() - 1));
    }
    if (method().equals("sleep") && !words.get(1).matches("\\d{1,9}")) {
      throw Arguments.wrong(command, "sleep takes milliseconds, was " + words.get(1));
    }
  }

  /** Whether a call is named. */
  boolean isEmpty() {
    return words.isEmpty();
  }

  private String method() {
    return words.get(0);
  }

  /** As it was typed. */
  String text() {
    return String.join(" ", words);
  }

  /** The service through which to call. */
  KeyValue service(Vertx vertx, RpcClient client) {
    return RpcServices.proxy(
        KeyValue.class,
        (opcode, request) -> {
          RpcCall call =
              deadline == null
                  ? client.start(opcode, request)
                  : client.start(opcode, request, deadline, TimeUnit.MILLISECONDS);
          if (cancelAfter != null) {
            vertx.setTimer(cancelAfter, fired -> call.cancel());
          }
          return call.result();
        });
  }

  /** Calls. */
  Future<?> call(KeyValue service) {
    return switch (method()) {
      case "put" -> service.put(words.get(1), words.get(2));
      case "get" -> service.get(words.get(1));
      case "count" -> service.count(words.get(1));
      default -> service.sleep(Long.parseLong(words.get(1)));
    };
  }
}
