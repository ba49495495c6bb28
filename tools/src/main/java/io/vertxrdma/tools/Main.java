package io.vertxrdma.tools;

import io.vertxrdma.tools.bench.BenchCommand;
import io.vertxrdma.tools.doctor.DoctorCommand;
import io.vertxrdma.tools.ping.PingCommand;
import io.vertxrdma.tools.selftest.SelftestCommand;
import io.vertxrdma.tools.tune.TuneCommand;
import io.vertxrdma.tools.watch.WatchCommand;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.RunLast;

/** The {@code vertx-rdma} command. */
public final class Main {

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    int exitCode = run(Environment.ofProcess(), arguments);
    // Not a return: a thread may still be blocked reading standard input.
    System.exit(exitCode);
  }

  /**
   * Runs the command within the process.
   *
   * @return the exit code, see {@link ExitCode}
   */
  public static int run(Environment environment, String... arguments) {
    return commandLine(environment).execute(arguments);
  }

  /** The command with all subcommands, those of each {@link CommandProvider} among them. */
  public static CommandLine commandLine(Environment environment) {
    CommandLine main = new CommandLine(new Root());
    add(main, new CommandLine(new DevicesCommand(environment)));
    add(main, DoctorCommand.commandLine(environment));
    add(main, WatchCommand.commandLine(environment));
    add(main, SelftestCommand.commandLine(environment));
    add(main, BenchCommand.commandLine(environment));
    add(main, PingCommand.commandLine(environment));
    add(main, TuneCommand.commandLine(environment));
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      for (CommandLine command : provider.commands(environment)) {
        add(main, command);
      }
    }
    Numbers.register(main);
    Failures failures = new Failures();
    return main.setOut(environment.out())
        .setErr(environment.err())
        .setUsageHelpWidth(80)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setExecutionStrategy(
            parsed -> {
              Root.of(parsed.commandSpec()).configureLogging();
              return new RunLast().execute(parsed);
            });
  }

  private static void add(CommandLine main, CommandLine command) {
    main.addSubcommand(command.getCommandName(), command);
  }
}
