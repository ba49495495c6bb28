package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code chat join} in the test's process, driven as a script drives it. */
final class ScriptedMember implements AutoCloseable {

  private static final long SECONDS = 30;

  private final BlockingQueue<String> shown = new LinkedBlockingQueue<>();
  private final StringWriter errors = new StringWriter();
  private final PipedOutputStream typed = new PipedOutputStream();
  private final CompletableFuture<Integer> exitCode;

  /** Joins; the lines shown are there to be {@linkplain #sees expected}. */
  ScriptedMember(RdmaProvider provider, String nick, String... options) {
    PipedInputStream in;
    try {
      in = new PipedInputStream(typed, 1 << 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Environment environment =
        new Environment(
            in,
            new PrintWriter(new LineWriter(shown), true),
            new PrintWriter(errors, true),
            () -> List.of(provider));
    List<String> arguments =
        new ArrayList<>(List.of("chat", "join", "--address", "10.0.0.1", "--nick", nick));
    arguments.addAll(List.of(options));
    exitCode =
        CompletableFuture.supplyAsync(
            () -> Main.run(environment, arguments.toArray(String[]::new)),
            command -> new Thread(command, "member-" + nick).start());
  }

  ScriptedMember types(String... lines) throws IOException {
    OutputStream to = typed;
    for (String line : lines) {
      to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
    to.flush();
    return this;
  }

  /** The next lines shown are these. */
  ScriptedMember sees(String... lines) throws InterruptedException {
    for (String line : lines) {
      assertThat(next()).isEqualTo(line);
    }
    return this;
  }

  String next() throws InterruptedException {
    return shown.poll(SECONDS, TimeUnit.SECONDS);
  }

  int exitCode() throws Exception {
    return exitCode.get(SECONDS, TimeUnit.SECONDS);
  }

  String errors() {
    return errors.toString();
  }

  /** Ends its input, as a script does that has nothing more to say. */
  @Override
  public void close() throws IOException {
    typed.close();
  }

  /** Cuts what is written into lines. */
  private static final class LineWriter extends Writer {

    private final BlockingQueue<String> lines;
    private final StringBuilder line = new StringBuilder();

    LineWriter(BlockingQueue<String> lines) {
      this.lines = lines;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        if (characters[i] == '\n') {
          lines.add(line.toString());
          line.setLength(0);
        } else {
          line.append(characters[i]);
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
