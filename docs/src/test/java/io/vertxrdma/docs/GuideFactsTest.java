package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
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

  private static final Pattern COMMENT_OR_TEXT =
      Pattern.compile(
          "//[^\\n]*|(?s:/\\*.*?\\*/)|(\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])+')");
  private static final Pattern TEXT = Pattern.compile("\"((?:\\\\.|[^\"\\\\])*)\"");
  private static final Pattern WARNING =
      Pattern.compile("LOG\\s*\\.(?:warn|error)\\(\\s*\"((?:\\\\.|[^\"\\\\])*)\"");
  private static final Pattern NO_WORDS = Pattern.compile("(\\{}|[^a-z]|bytes)*");

  /** The end of a line of a string that goes on in the next. */
  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void the_words_of_troubleshooting_are_words_of_messages() throws IOException {
    Set<String> messages = new TreeSet<>();
    for (Path file : librarySources()) {
      TEXT.matcher(code(file)).results().forEach(text -> messages.add(unescaped(text.group(1))));
    }
    List<String> missing =
        firstCells("troubleshooting.adoc").stream()
            .filter(words -> messages.stream().noneMatch(message -> message.contains(words)))
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void every_warning_of_the_library_is_in_troubleshooting() throws IOException {
    Set<String> keys = firstCells("troubleshooting.adoc");
    List<String> missing = new ArrayList<>();
    int warnings = 0;
    for (Path file : librarySources()) {
      Matcher warning = WARNING.matcher(code(file));
      while (warning.find()) {
        warnings++;
        String words = unescaped(warning.group(1));
        // One without words of its own tells those of a failure or finding.
        if (!NO_WORDS.matcher(words).matches() && keys.stream().noneMatch(words::contains)) {
          missing.add(file.getFileName() + ": " + words);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(warnings).isGreaterThan(20);
  }

  private static List<Path> librarySources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : List.of("core", "cm-events", "reactive-api", "soft-roce")) {
      all.addAll(sources(Path.of("..", module, "src/main/java")));
    }
    return all;
  }

  /** A source without its comments, each text in one piece. */
  private static String code(Path file) throws IOException {
    String bare =
        COMMENT_OR_TEXT
            .matcher(Files.readString(file))
            .replaceAll(
                found -> Matcher.quoteReplacement(found.group(1) == null ? "" : found.group()));
    return CONCATENATION.matcher(bare).replaceAll("");
  }

  private static String unescaped(String text) {
    return text.replace("\\\"", "\"");
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
