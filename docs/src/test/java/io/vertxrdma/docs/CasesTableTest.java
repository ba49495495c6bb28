package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of cases names every test class that is named after a case, and no other. */
class CasesTableTest {

  private static final Pattern CASE_CLASS = Pattern.compile("[A-Z]\\d+_\\w+Test");

  @Test
  void the_table_and_the_test_classes_agree() throws IOException {
    assertThat(named()).isNotEmpty().isEqualTo(existing());
  }

  private static Set<String> named() throws IOException {
    String table = Files.readString(Path.of("src/main/asciidoc/cases.adoc"));
    return CASE_CLASS
        .matcher(table)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> existing() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          collect(tests, found);
        }
      }
    }
    return found;
  }

  private static void collect(Path tests, Set<String> into) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .filter(name -> CASE_CLASS.matcher(name).matches())
          .forEach(into::add);
    }
  }
}
