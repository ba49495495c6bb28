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

/** All Java in the guide is compiled: it comes from tagged places of sources. */
class GuideSnippetsTest {

  private static final Path CHAPTERS = Path.of("src/main/asciidoc");
  private static final Path SNIPPETS = Path.of("src/main/java/io/vertxrdma/docs");

  private static final Pattern JAVA_BLOCK =
      Pattern.compile("(?m)^\\[source, ?java[^\\n]*\\n-{4,}\\n(.*?)^-{4,}$", Pattern.DOTALL);
  private static final Pattern INCLUDE = Pattern.compile("include::(.+)\\[tag=([\\w-]+),indent=0]");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?m)^:([\\w-]+): (\\S+)$");
  private static final Pattern PUBLIC_METHOD = Pattern.compile("public static [^=(;]+ (\\w+)\\(");
  private static final Pattern TAG = Pattern.compile("// tag::([\\w-]+)\\[]");

  /** A line that ends like a statement of Java, or begins like a declaration of its. */
  private static final Pattern LOOKS_LIKE_JAVA =
      Pattern.compile("^\\s*(import |public |new |return |@Override).*|.*[)\\w];\\s*(//.*)?$");

  /** Blocks without a language, which hold output, formulas, or the words of messages. */
  private static final Pattern PLAIN_BLOCK =
      Pattern.compile("(?<!\\])\\n(-{4,}|\\.{4,})\\n(.*?)\\n\\1(?=\\n)", Pattern.DOTALL);

  @Test
  void every_java_block_includes_tagged_places_of_compiled_sources() throws IOException {
    List<String> wrong = new ArrayList<>();
    int blocks = 0;
    for (Path chapter : chapters()) {
      String text = Files.readString(chapter);
      Matcher block = JAVA_BLOCK.matcher(text);
      while (block.find()) {
        blocks++;
        for (String line : block.group(1).lines().filter(l -> !l.isBlank()).toList()) {
          Matcher include = INCLUDE.matcher(line);
          if (!include.matches() || !hasTag(chapter, resolved(text, include.group(1)), include)) {
            wrong.add(chapter.getFileName() + ": " + line);
          }
        }
      }
      assertThat(count(text, "(?m)^\\[source, ?java"))
          .as("Java blocks of %s", chapter.getFileName())
          .isEqualTo(count(text, JAVA_BLOCK.pattern()));
    }
    assertThat(wrong).isEmpty();
    assertThat(blocks).isGreaterThan(50);
  }

  private static long count(String text, String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().count();
  }

  private static String resolved(String text, String path) {
    String result = path;
    Matcher attribute = ATTRIBUTE.matcher(text);
    while (attribute.find()) {
      result = result.replace("{" + attribute.group(1) + "}", attribute.group(2));
    }
    return result;
  }

  private static boolean hasTag(Path chapter, String path, Matcher include) throws IOException {
    Path source = chapter.resolveSibling(path);
    return path.endsWith(".java")
        && path.contains("/java/")
        && Files.isRegularFile(source)
        && Files.readString(source).contains("// tag::" + include.group(2) + "[]");
  }

  @Test
  void no_block_without_a_language_holds_java() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path chapter : chapters()) {
      Matcher block = PLAIN_BLOCK.matcher(Files.readString(chapter));
      while (block.find()) {
        block
            .group(2)
            .lines()
            .filter(line -> LOOKS_LIKE_JAVA.matcher(line).matches())
            .forEach(line -> wrong.add(chapter.getFileName() + ": " + line));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void every_tagged_place_is_shown_in_the_guide() throws IOException {
    Set<String> shown = new TreeSet<>();
    for (Path chapter : chapters()) {
      String text = Files.readString(chapter);
      Matcher include = INCLUDE.matcher(text);
      while (include.find()) {
        Path source = chapter.resolveSibling(resolved(text, include.group(1)));
        shown.add(source.getFileName() + " " + include.group(2));
      }
    }
    Set<String> tagged = new TreeSet<>();
    for (Path source : files(SNIPPETS, ".java")) {
      TAG.matcher(Files.readString(source))
          .results()
          .map((MatchResult tag) -> source.getFileName() + " " + tag.group(1))
          .forEach(tagged::add);
    }
    assertThat(tagged).isNotEmpty();
    assertThat(shown).containsAll(tagged);
  }

  @Test
  void every_method_with_a_snippet_is_run_by_a_test() throws IOException {
    StringBuilder tests = new StringBuilder();
    for (Path test : files(Path.of("src/test/java/io/vertxrdma/docs"), ".java")) {
      tests.append(Files.readString(test));
    }
    List<String> calls = new ArrayList<>();
    for (Path source : files(SNIPPETS, ".java")) {
      String type = source.getFileName().toString().replace(".java", "");
      PUBLIC_METHOD
          .matcher(Files.readString(source))
          .results()
          .map(method -> type + "." + method.group(1))
          .forEach(calls::add);
    }
    assertThat(calls).hasSizeGreaterThan(40).allMatch(call -> tests.indexOf(call + "(") >= 0);
  }

  private static List<Path> chapters() throws IOException {
    List<Path> chapters = files(CHAPTERS, ".adoc");
    assertThat(chapters).hasSizeGreaterThan(20);
    return chapters;
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(end))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
