package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of the soft provider at the far end of the wire, and how it and a program on the
 * kernel's side are led through a conversation.
 */
final class SoftSide implements AutoCloseable {

  private final Command soft;

  /** Starts a program when the soft side is ready for it. */
  @FunctionalInterface
  interface Program {
    Command start() throws Exception;
  }

  /** Starts it. */
  SoftSide() throws Exception {
    Command.requireNativeProvider();
    soft = Command.softPeer().sees("ready");
  }

  /** The soft side serves, the program comes to it; the program's end is returned. */
  Command serves(String part, String answer, Program program) throws Exception {
    begins(part);
    try (Command client = program.start()) {
      assertThat(client.exitCode()).as("%s; %s", client.transcript(), soft.transcript()).isZero();
      ends(answer, client);
      return client;
    }
  }

  /** The program serves, the soft side comes to it; the program's end is returned. */
  Command connects(String part, String answer, Command server) throws Exception {
    try (server) {
      soft.types(part);
      ends(answer, server);
      assertThat(server.exitCode()).as(server.transcript()).isZero();
      return server;
    }
  }

  /** Lets it serve, and waits until it does. */
  void begins(String part) throws Exception {
    soft.types(part).seesLine("that it listens", line -> line.startsWith("listening"));
  }

  /** Waits for the end of a part that ends well, with an answer that has the pattern. */
  void ends(String answer, Command... other) throws Exception {
    String last = "";
    String line = soft.seesLine("an answer", any -> true);
    for (; !line.startsWith("done "); line = soft.seesLine("an end", any -> true)) {
      last = line;
    }
    assertThat(line).as("%s; %s", last, transcripts(other)).isEqualTo("done 0");
    assertThat(last).containsPattern(answer);
  }

  private String transcripts(Command... other) {
    return soft.transcript()
        + Stream.of(other).map(one -> "\n" + one.transcript()).collect(Collectors.joining());
  }

  /** Lets it do something that involves nobody else, and waits for its end. */
  void does(String part, String answer) throws Exception {
    soft.types(part);
    ends(answer);
  }

  /** The counters of the port with that address. */
  Map<String, Long> counters(String address) throws Exception {
    soft.types("counters " + address);
    Map<String, Long> counters = new HashMap<>();
    while (true) {
      String line = soft.seesLine("its counters", any -> true);
      if (line.equals("done 0")) {
        return counters;
      }
      String[] pair = line.split(" ");
      counters.put(pair[0], Long.valueOf(pair[1]));
    }
  }

  /** Ends it, and prints all it said. */
  @Override
  public void close() {
    System.out.println(soft.transcript());
    soft.close();
  }
}
