package io.vertxrdma.tools;

import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says of arguments that fit nowhere what would have. */
final class WrongArguments {

  private WrongArguments() {}

  /**
   * The sentence about an argument that fits nowhere, or null if all fit. It comes before what else
   * is wrong: who mistypes a required option is told of the mistake and not that it is missing.
   */
  static String sentence(ParameterException failure) {
    CommandLine command = failure.getCommandLine();
    List<String> unmatched = command.getUnmatchedArguments();
    if (unmatched.isEmpty()) {
      return null;
    }
    String first = unmatched.get(0);
    if (first.length() > 1 && first.startsWith("-")) {
      List<String> similar = new UnmatchedArgumentException(command, unmatched).getSuggestions();
      return "there is no option '"
          + first
          + "'"
          + (similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)");
    }
    boolean group =
        !command.getSubcommands().isEmpty()
            && command.getCommandSpec().positionalParameters().isEmpty();
    return group
        ? "there is no command '"
            + first
            + "', only "
            + String.join(", ", new TreeSet<>(command.getSubcommands().keySet()))
        : "'" + first + "' is one argument too many";
  }
}
