package io.vertxrdma.tools.doctor;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.TextColumns;
import io.vertxrdma.tools.doctor.Finding.Verdict;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Examines this machine and says what keeps RDMA from working, and what to do. */
@Command(
    name = "doctor",
    description = "Examine this machine: what works, what doesn't, what to do about it.",
    sortOptions = false)
public final class DoctorCommand implements Callable<Integer> {

  private static final int INDENT = 22;

  private final Environment environment;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "Also say which provider serves this local address.")
  private String address;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = ProviderSelection.AUTO,
      description = "Insist on this one: what it lacks is then a failure.")
  private String provider;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(names = "--root", hidden = true, defaultValue = "/")
  private Path root;

  @Spec private CommandSpec spec;

  private DoctorCommand(Environment environment) {
    this.environment = environment;
  }

  /** The command. */
  public static CommandLine commandLine(Environment environment) {
    return new CommandLine(new DoctorCommand(environment));
  }

  @Override
  public Integer call() {
    List<Finding> findings;
    try {
      findings =
          new Examination(
                  new Host(root),
                  environment.providers().get(),
                  provider,
                  address == null ? null : InetAddress.getByName(address))
              .findings();
    } catch (UnknownHostException unknown) {
      throw new ParameterException(spec.commandLine(), "can't resolve host " + address);
    } catch (IllegalArgumentException unknown) {
      throw new ParameterException(spec.commandLine(), unknown.getMessage());
    }
    if (json) {
      JsonArray array = new JsonArray();
      findings.forEach(finding -> array.add(finding.json()));
      environment.out().println(new JsonObject().put("findings", array).encodePrettily());
    } else {
      findings.forEach(this::print);
      environment.out().println(summary(findings));
    }
    environment.out().flush();
    return count(findings, Verdict.FAIL) == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static long count(List<Finding> findings, Verdict verdict) {
    return findings.stream().filter(finding -> finding.verdict() == verdict).count();
  }

  private static String summary(List<Finding> findings) {
    long failures = count(findings, Verdict.FAIL);
    long warnings = count(findings, Verdict.WARN);
    return failures == 0 && warnings == 0
        ? "Everything is well."
        : failures + " failed, " + warnings + " to look at.";
  }

  private void print(Finding finding) {
    PrintWriter out = environment.out();
    String head = String.format(Locale.ROOT, "%-5s %-14s  ", finding.verdict(), finding.subject());
    out.println(head + TextColumns.wrapped(finding.text(), INDENT));
    if (!finding.remedy().isEmpty()) {
      out.println(" ".repeat(INDENT - 3) + "-> " + TextColumns.wrapped(finding.remedy(), INDENT));
    }
  }
}
