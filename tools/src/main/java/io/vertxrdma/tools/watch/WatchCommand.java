package io.vertxrdma.tools.watch;

import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProvidersOption;
import io.vertxrdma.tools.Session;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows events of devices and the counters that move, as it happens. */
@Command(
    name = "watch",
    description = "Show events of devices and the counters that move, live.",
    sortOptions = false,
    footer = {
      "",
      "Ends with Ctrl-C. Events are shown as they come; counters, at each interval,",
      "only if they moved. Counters of a native device are the whole machine's.",
      "A soft device lives in the process that uses it, so only what happens in this",
      "process is seen; have other programs publish theirs, for example as metrics."
    })
public final class WatchCommand implements Callable<Integer> {

  private static final BigDecimal MIN_INTERVAL = new BigDecimal("0.1");
  private static final BigDecimal MAX_INTERVAL = new BigDecimal("3600");

  private final Environment environment;
  private final Pacer pacer;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How often counters are read, 0.1..3600. Default: ${DEFAULT-VALUE}.")
  private BigDecimal interval;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many intervals, from 1 up. Default: never.")
  private Integer count;

  @Mixin private ProvidersOption wanted;

  @Option(names = "--json", description = "Print JSON, one object a line.")
  private boolean json;

  @Spec private CommandSpec spec;

  private WatchCommand(Environment environment, Pacer pacer) {
    this.environment = environment;
    this.pacer = pacer;
  }

  /** The command. */
  public static CommandLine commandLine(Environment environment) {
    return commandLine(environment, Pacer.ofSystem());
  }

  static CommandLine commandLine(Environment environment, Pacer pacer) {
    return new CommandLine(new WatchCommand(environment, pacer));
  }

  @Override
  public Integer call() {
    check();
    List<RdmaProvider> all = wanted.among(environment);
    List<RdmaProvider> usable =
        all.stream().filter(provider -> provider.availability().isAvailable()).toList();
    if (usable.isEmpty()) {
      throw ProvidersOption.noDevice(all);
    }
    Duration pause = Duration.ofMillis(interval.movePointRight(3).longValue());
    Session.<Void>run(
        session ->
            Watch.run(session, usable, pacer, output(usable), pause, count == null ? 0 : count));
    return ExitCode.OK;
  }

  private void check() {
    if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval must be " + MIN_INTERVAL + ".." + MAX_INTERVAL + ", was " + interval);
    }
    if (count != null && count < 1) {
      throw new ParameterException(
          spec.commandLine(), "--count must be 1.." + Integer.MAX_VALUE + ", was " + count);
    }
  }

  private WatchOutput output(List<RdmaProvider> providers) {
    if (json) {
      return new JsonOutput(environment.out());
    }
    boolean soft =
        providers.stream().anyMatch(provider -> provider.name().equals(ProviderSelection.SOFT));
    String rhythm = "counters every " + interval.toPlainString() + " s";
    String end = count == null ? "until Ctrl-C" : count == 1 ? "once" : count + " times";
    return new TextOutput(environment.out(), rhythm + ", " + end, soft);
  }
}
