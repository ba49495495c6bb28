package io.vertxrdma.demos;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks of arguments that the demonstrations' commands have in common. */
public final class Arguments {

  private Arguments() {}

  /**
   * Refuses a number out of range.
   *
   * @throws ParameterException naming the option, its limits and the value
   */
  public static void range(CommandSpec command, String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw wrong(command, name + " must be " + least + ".." + most + ", was " + value);
    }
  }

  /** Refuses a port that is none. */
  public static void port(CommandSpec command, int port) {
    range(command, "--port", port, 1, 65_535);
  }

  /** What to throw for a wrong argument. */
  public static ParameterException wrong(CommandSpec command, String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }
}
