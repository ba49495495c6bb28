package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.Environment;
import java.util.ArrayList;
import java.util.List;

/** The processes of a scripted chat, whose lines make one transcript. Ends them all. */
final class Cast implements AutoCloseable {

  private final Environment environment;
  private final String provider;
  private final List<DemoProcess> started = new ArrayList<>();

  Cast(Environment environment, String provider) {
    this.environment = environment;
    this.provider = provider;
  }

  /** A word of the script itself. */
  void says(String line) {
    say("--", line);
  }

  /**
   * Starts {@code chat serve} and waits until it listens.
   *
   * @param options besides provider, address and port
   */
  DemoProcess hub(String name, String address, int port, String... options)
      throws InterruptedException {
    DemoProcess hub = start(name, "serve", address, port, options);
    hub.sees("listening on");
    return hub;
  }

  /** Starts {@code chat join} and waits for the welcome. */
  DemoProcess member(String nick, String address, int port) throws InterruptedException {
    DemoProcess member = late(nick, address, port);
    member.sees("welcome to demo");
    return member;
  }

  /** Starts {@code chat join}. */
  DemoProcess late(String nick, String address, int port) {
    return start(nick, "join", address, port, "--nick", nick);
  }

  private DemoProcess start(
      String name, String command, String address, int port, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "chat",
                command,
                "--provider",
                provider,
                "--address",
                address,
                "--port",
                String.valueOf(port)));
    arguments.addAll(List.of(options));
    DemoProcess process = new DemoProcess(name, line -> say(name, line), arguments);
    started.add(process);
    return process;
  }

  private void say(String who, String line) {
    environment.out().printf("%-4s| %s%n", who, line);
    environment.out().flush();
  }

  @Override
  public void close() {
    started.forEach(DemoProcess::close);
  }
}
