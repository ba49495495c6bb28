package io.vertxrdma.tools;

import io.vertxrdma.core.RdmaProvider;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** One run of the command within the test's process, with what it printed. */
public final class CommandRun {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Environment environment;
  private int exitCode = -1;

  private CommandRun(List<RdmaProvider> providers) {
    this.environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            () -> providers);
  }

  /** Runs the command with these providers. */
  public static CommandRun with(List<RdmaProvider> providers, String... arguments) {
    CommandRun run = new CommandRun(providers);
    run.exitCode = Main.run(run.environment, arguments);
    return run;
  }

  /** Its exit code. */
  public int exitCode() {
    return exitCode;
  }

  /** What it printed on standard output. */
  public String out() {
    return out.toString();
  }

  /** What it printed on standard error. */
  public String err() {
    return err.toString();
  }
}
