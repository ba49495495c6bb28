package io.vertxrdma.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each JMH benchmark runs for a moment. How fast it is says nothing here. */
@Timeout(900)
class JmhSmokeTest {

  @Test
  void everyBenchmarkRunsAndHasAResult() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("io\\.vertxrdma\\.benchmarks\\..*")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(20))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();

    Set<String> names =
        results.stream()
            .map(result -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)", "$1"))
            .collect(Collectors.toSet());
    assertThat(names)
        .containsExactlyInAnyOrder(
            "CompletionBenchmark.immediate",
            "EngineBenchmark.writeWithImmediate",
            "HeadersBenchmark.decode",
            "HeadersBenchmark.encode",
            "InvariantCrcBenchmark.check",
            "InvariantCrcBenchmark.checkAnyIdentification",
            "InvariantCrcBenchmark.compute");
    assertThat(results)
        .allSatisfy(
            result -> assertThat(result.getPrimaryResult().getScore()).isPositive().isFinite());
  }
}
