package io.vertxrdma.tools;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command above all subcommands, with the options that every one of them has. */
@Command(
    name = "vertx-rdma",
    description = "RDMA connections and completions on the JVM.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 all went well, 1 it failed, 3 there is no RDMA device to use, 64 wrong arguments."
    })
final class Root implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version.")
  private boolean version;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Say more, and show where failures come from.")
  private boolean verbose;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Say everything the library logs.")
  private boolean debug;

  @Spec private CommandSpec spec;

  /** The root of a subcommand. */
  static Root of(CommandSpec subcommand) {
    return (Root) subcommand.root().userObject();
  }

  boolean isVerbose() {
    return verbose;
  }

  boolean wantsStackTrace() {
    return verbose || debug;
  }

  /** Read by logback.xml when the first logger is made, which is later than this. */
  void configureLogging() {
    if (verbose || debug) {
      System.setProperty("vertx.rdma.log.level", debug ? "DEBUG" : "INFO");
    }
    if (debug) {
      System.setProperty("vertx.rdma.log.trace", "");
    }
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
