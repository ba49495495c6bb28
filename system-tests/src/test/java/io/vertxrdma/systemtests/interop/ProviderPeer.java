package io.vertxrdma.systemtests.interop;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.Main;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A process that plays a provider's part in one scenario after the other, since a JVM takes long to
 * start where the tests run: reads what to do, a line each, and says {@code done} and an exit code
 * after each.
 *
 * <p>A line is a {@code vertx-rdma} command, {@code PROGRAM serve|connect ADDRESS PORT} of {@link
 * Speakers}, or {@code counters ADDRESS}, which only the soft provider has.
 */
public final class ProviderPeer {

  private final RdmaProvider provider;
  private final PrintWriter out =
      new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private final Environment environment;

  private ProviderPeer(RdmaProvider provider) {
    this.provider = provider;
    // Both streams are one, so that what is said stays in order.
    this.environment =
        new Environment(InputStream.nullInputStream(), out, out, () -> List.of(provider));
  }

  /** Takes the name of the provider; ends with its input. */
  public static void main(String[] arguments) throws IOException {
    new ProviderPeer(RdmaProviders.named(arguments[0])).run();
    System.exit(0);
  }

  private void run() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    out.println("ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println("done " + perform(line.split(" ")));
    }
  }

  private int perform(String[] words) throws IOException {
    switch (words[0]) {
      case "counters" -> {
        ((SoftProvider) provider)
            .counters(InetAddress.getByName(words[1]))
            .snapshot()
            .forEach((name, value) -> out.println(name.label() + " " + value));
        return 0;
      }
      case "bench", "ping" -> {
        List<String> command = new ArrayList<>(Arrays.asList(words));
        command.addAll(List.of("--provider", provider.name()));
        return Main.run(environment, command.toArray(String[]::new));
      }
      default -> {
        return speak(words);
      }
    }
  }

  private int speak(String[] words) {
    try {
      out.println(new Speakers(provider, out).speak(words));
      return 0;
    } catch (Exception | AssertionError failure) { // futures throw checked ones, too
      out.println(failure instanceof CommandFailure ? failure.getMessage() : failure.toString());
      return 1;
    }
  }
}
