package io.vertxrdma.soft.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.cm.CmAgentFuzzer;
import io.vertxrdma.soft.transport.EngineFuzzer;
import io.vertxrdma.soft.wire.MadFuzzer;
import io.vertxrdma.soft.wire.PacketFuzzer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One input of each kind, and some that reached something new when {@code soft-roce/fuzz} ran, and
 * mutations of them, without the fuzzer: the fuzz targets find nothing wrong.
 */
class FuzzCorpusTest {

  private static final int MUTATIONS = 40;

  /**
   * A fuzz target and the folder of its inputs.
   *
   * @param name of the class and the folder
   * @param run what the fuzzer calls
   */
  record Target(String name, Consumer<byte[]> run) {

    List<Path> corpus() throws IOException, URISyntaxException {
      Path folder = Path.of(Target.class.getResource("/fuzz/" + name).toURI());
      try (Stream<Path> files = Files.list(folder)) {
        return files.sorted().toList();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Target> targets() {
    return List.of(
        new Target("PacketFuzzer", PacketFuzzer::fuzzerTestOneInput),
        new Target("MadFuzzer", MadFuzzer::fuzzerTestOneInput),
        new Target("CmAgentFuzzer", CmAgentFuzzer::fuzzerTestOneInput),
        new Target("EngineFuzzer", EngineFuzzer::fuzzerTestOneInput));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void every_input_of_the_corpus_is_handled_or_dropped(Target target) throws Exception {
    List<Path> corpus = target.corpus();
    assertThat(corpus).as("inputs of %s", target).hasSizeGreaterThan(10);
    for (Path input : corpus) {
      run(target, input, Files.readAllBytes(input));
    }
  }

  @ParameterizedTest
  @MethodSource("targets")
  void every_input_is_handled_or_dropped_with_a_few_bytes_changed_or_its_end_cut_off(Target target)
      throws Exception {
    SplittableRandom random = new SplittableRandom(4791);
    for (Path input : target.corpus()) {
      byte[] original = Files.readAllBytes(input);
      for (int i = 0; i < MUTATIONS && original.length > 0; i++) {
        int length = i % 4 == 0 ? random.nextInt(original.length) : original.length;
        byte[] mutated = java.util.Arrays.copyOf(original, length);
        for (int changes = random.nextInt(4); changes >= 0 && length > 0; changes--) {
          mutated[random.nextInt(length)] = (byte) random.nextInt();
        }
        run(target, input, mutated);
      }
    }
  }

  private static void run(Target target, Path input, byte[] bytes) {
    try {
      target.run().accept(bytes);
    } catch (Throwable failure) {
      throw new AssertionError(
          input.getFileName() + " as " + java.util.HexFormat.of().formatHex(bytes), failure);
    }
  }
}
