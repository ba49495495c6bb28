package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the chapters quote from the sources is there. */
class GuideFactsTest {

  private static final Path CHAPTERS = Path.of("src/main/asciidoc");
  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^public (?:(?:final|abstract|sealed|non-sealed) )*(?:class|interface|record|enum)"
              + " (\\w+)");

  /** The end of a line of a string that goes on in the next. */
  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void the_words_of_troubleshooting_are_words_of_the_sources() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (String module : List.of("core", "cm-events", "reactive-api", "soft-roce")) {
      for (Path file : sources(Path.of("..", module, "src/main/java"))) {
        sources.append(CONCATENATION.matcher(Files.readString(file)).replaceAll(""));
      }
    }
    List<String> missing =
        firstCells("troubleshooting.adoc").stream()
            .filter(words -> sources.indexOf(words) < 0)
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void the_api_tour_names_every_public_type() throws IOException {
    Path api = Path.of("../reactive-api/src/main/java/io/vertxrdma/reactive");
    Set<String> types = new TreeSet<>();
    for (Path file : sources(api)) {
      if (!file.startsWith(api.resolve("impl"))) {
        PUBLIC_TYPE.matcher(Files.readString(file)).results().forEach(t -> types.add(t.group(1)));
      }
    }
    assertThat(firstCells("api-tour.adoc")).isNotEmpty().isEqualTo(types);
  }

  private static Set<String> firstCells(String chapter) throws IOException {
    Set<String> cells =
        FIRST_CELL
            .matcher(Files.readString(CHAPTERS.resolve(chapter)))
            .results()
            .map((MatchResult cell) -> cell.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(cells).hasSizeGreaterThan(10);
    return cells;
  }

  private static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
