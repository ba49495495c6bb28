package io.vertxrdma.tools;

/** Ends a command with a sentence for the user and an exit code. */
public final class CommandFailure extends RuntimeException {

  private final int exitCode;

  /** A failure with exit code {@link ExitCode#FAILED}. */
  public CommandFailure(String sentence) {
    this(ExitCode.FAILED, sentence);
  }

  /** A failure with an exit code of its own. */
  public CommandFailure(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** What the process exits with. */
  public int exitCode() {
    return exitCode;
  }
}
