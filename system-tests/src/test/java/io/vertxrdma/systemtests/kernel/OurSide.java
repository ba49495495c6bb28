package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of a provider, and how it and a program over the kernel's rxe are led through a
 * conversation.
 */
final class OurSide implements AutoCloseable {

  private final Command ours;

  /** Starts a program when our side is ready for it. */
  @FunctionalInterface
  interface Program {
    Command start() throws Exception;
  }

  /** The soft provider, at the far end of the wire. */
  static OurSide soft() throws Exception {
    Command.requireNativeProvider();
    return new OurSide(Command.softPeer());
  }

  /** The native provider, on the device of the programs. */
  static OurSide ofKernel() throws Exception {
    Command.requireNativeProvider();
    return new OurSide(Command.nativePeer());
  }

  private OurSide(Command started) throws Exception {
    ours = started.sees("ready");
  }

  /** Our side serves, the program comes to it; the program's end is returned. */
  Command serves(String part, String answer, Program program) throws Exception {
    begins(part);
    try (Command client = program.start()) {
      assertThat(client.exitCode()).as("%s; %s", client.transcript(), ours.transcript()).isZero();
      ends(answer, client);
      return client;
    }
  }

  /** The program serves, our side comes to it; the program's end is returned. */
  Command connects(String part, String answer, Command server) throws Exception {
    try (server) {
      ours.types(part);
      ends(answer, server);
      assertThat(server.exitCode()).as(server.transcript()).isZero();
      return server;
    }
  }

  /** Lets it serve, and waits until it does. */
  void begins(String part) throws Exception {
    ours.types(part).seesLine("that it listens", line -> line.startsWith("listening"));
  }

  /** Waits for the end of a part that ends well, with an answer that has the pattern. */
  void ends(String answer, Command... other) throws Exception {
    String last = "";
    String line = ours.seesLine("an answer", any -> true);
    for (; !line.startsWith("done "); line = ours.seesLine("an end", any -> true)) {
      last = line;
    }
    assertThat(line).as("%s; %s", last, transcripts(other)).isEqualTo("done 0");
    assertThat(last).containsPattern(answer);
  }

  private String transcripts(Command... other) {
    return ours.transcript()
        + Stream.of(other).map(one -> "\n" + one.transcript()).collect(Collectors.joining());
  }

  /** Lets it do something that involves nobody else, and waits for its end. */
  void does(String part, String answer) throws Exception {
    ours.types(part);
    ends(answer);
  }

  /** The counters of the port with that address. */
  Map<String, Long> counters(String address) throws Exception {
    ours.types("counters " + address);
    Map<String, Long> counters = new HashMap<>();
    while (true) {
      String line = ours.seesLine("its counters", any -> true);
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
    System.out.println(ours.transcript());
    ours.close();
  }
}
