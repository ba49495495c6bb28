package io.vertxrdma.tools;

import io.vertxrdma.core.ProviderUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns exceptions into one sentence on standard error and an exit code. */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    Throwable cause = unwrap(failure);
    say(command, sentence(cause));
    if (Root.of(command.getCommandSpec()).wantsStackTrace()) {
      cause.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return exitCode(cause);
  }

  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    String unmatched = WrongArguments.sentence(failure);
    say(
        command,
        (unmatched == null ? sentence(failure) : unmatched)
            + "; see '"
            + command.getCommandSpec().qualifiedName()
            + " --help'");
    command.getErr().flush();
    return ExitCode.USAGE;
  }

  private static void say(CommandLine command, String sentence) {
    command.getErr().println(command.getCommandSpec().root().name() + ": " + sentence);
  }

  private static Throwable unwrap(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** One line: the message, or what stands in for it. */
  private static String sentence(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private static int exitCode(Throwable failure) {
    if (failure instanceof CommandFailure known) {
      return known.exitCode();
    }
    return failure instanceof ProviderUnavailableException ? ExitCode.NO_DEVICE : ExitCode.FAILED;
  }
}
