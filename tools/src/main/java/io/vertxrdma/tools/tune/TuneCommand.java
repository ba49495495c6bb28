package io.vertxrdma.tools.tune;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.Session;
import io.vertxrdma.tools.TerminalLine;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The side that connects, raises the depth, and says what to take. */
@Command(
    name = "tune",
    description = "Find good connection parameters by measuring.",
    sortOptions = false,
    footer = {
      "",
      "Start 'tune serve' at HOST first. Connects anew with 1, 2, 4 and so on reads and",
      "then writes under way, measures each for a short time, finds the knee, and",
      "prints the options to use, with a quarter more than the knee."
    })
public final class TuneCommand implements Callable<Integer> {

  private static final BigDecimal QUICK = new BigDecimal("0.2");
  private static final BigDecimal USUAL = BigDecimal.ONE;
  private static final BigDecimal LEAST = new BigDecimal("0.05");
  private static final BigDecimal MOST = new BigDecimal(60);

  private final Environment environment;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "HOST",
      description = "Where 'tune serve' is: the address of its RDMA device.")
  private String host;

  @Option(
      names = "--length",
      paramLabel = "L",
      defaultValue = "4096",
      description = "Bytes of each read and write, 1 to 1048576; default: ${DEFAULT-VALUE}.")
  private int length;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each step measures, 0.05 to 60; default: 1. There are 15 to 30.")
  private BigDecimal seconds;

  @Option(names = "--quick", description = "Measure 0.2 seconds a step: a first idea.")
  private boolean quick;

  @Mixin private TuneOptions options;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private TuneCommand(Environment environment) {
    this.environment = environment;
  }

  /** The command with its subcommand. */
  public static CommandLine commandLine(Environment environment) {
    return new CommandLine(new TuneCommand(environment)).addSubcommand(new TuneServe(environment));
  }

  @Override
  public Integer call() {
    BigDecimal each = check();
    Quiet.logging();
    RdmaProvider provider = options.provider.forPeer(environment, host);
    TerminalLine line = TerminalLine.onTerminal(environment.err());
    TuneReport report = new TuneReport(environment.out(), line, json);
    report.setting(host, options.port, length, each.doubleValue());
    line.show("connecting to " + host + ":" + options.port);
    try {
      Recommendation found =
          Session.run(
              session ->
                  new Tuning(
                          new StepClient(
                              session.vertx(),
                              provider,
                              host,
                              options.port,
                              length,
                              each.movePointRight(3).intValue(),
                              options.timeoutMillis()),
                          report)
                      .run());
      report.end(found);
      if (!found.isUsable()) {
        throw new CommandFailure("no step worked: see above");
      }
      return ExitCode.OK;
    } finally {
      line.clear();
    }
  }

  /** Refuses what is out of range; returns the seconds of a step. */
  private BigDecimal check() {
    if (host == null) {
      throw options.wrong("a parameter is missing: HOST, or serve");
    }
    options.check();
    options.range("--length", length, 1, Step.MOST_LENGTH);
    if (quick && seconds != null) {
      throw options.wrong("--quick means --seconds " + QUICK + ": give one of them");
    }
    BigDecimal each = quick ? QUICK : seconds == null ? USUAL : seconds;
    if (each.compareTo(LEAST) < 0 || each.compareTo(MOST) > 0) {
      throw options.wrong("--seconds must be " + LEAST + ".." + MOST + ", was " + each);
    }
    return each;
  }
}
