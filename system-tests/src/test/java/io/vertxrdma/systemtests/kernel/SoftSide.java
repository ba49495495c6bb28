package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;

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
    soft.types(part).seesLine("that it listens", line -> line.startsWith("listening"));
    try (Command client = program.start()) {
      assertThat(client.exitCode()).as("%s; %s", client.transcript(), soft.transcript()).isZero();
      judge(part, answer, client);
      return client;
    }
  }

  /** The program serves, the soft side comes to it; the program's end is returned. */
  Command connects(String part, String answer, Command server) throws Exception {
    try (server) {
      soft.types(part);
      judge(part, answer, server);
      assertThat(server.exitCode()).as(server.transcript()).isZero();
      return server;
    }
  }

  private void judge(String part, String answer, Command program) throws Exception {
    String last = "";
    while (true) {
      String line = soft.seesLine("how " + part + " ended", any -> true);
      if (line.startsWith("done ")) {
        assertThat(line).as("%s: %s; %s", part, last, program.transcript()).isEqualTo("done 0");
        assertThat(last).containsPattern(answer);
        System.out.println(part + ": " + last);
        return;
      }
      last = line;
    }
  }

  /** Lets it do something that involves nobody else, and waits for a line and its end. */
  void does(String part, String answer) throws Exception {
    soft.types(part);
    soft.seesLine("the answer", line -> line.startsWith(answer));
    soft.sees("done 0");
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
