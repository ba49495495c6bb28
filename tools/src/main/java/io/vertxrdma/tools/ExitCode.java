package io.vertxrdma.tools;

/** The exit codes of the command. */
public final class ExitCode {

  /** All went as it should. */
  public static final int OK = 0;

  /** It was tried and failed. */
  public static final int FAILED = 1;

  /** There is no provider or no device to do it with. */
  public static final int NO_DEVICE = 3;

  /** Wrong arguments (sysexits.h, EX_USAGE). */
  public static final int USAGE = 64;

  private ExitCode() {}
}
