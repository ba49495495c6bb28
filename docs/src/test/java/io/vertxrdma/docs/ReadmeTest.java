package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README's example is code that compiles. */
class ReadmeTest {

  @Test
  void every_java_line_of_the_readme_is_a_line_of_a_compiled_snippet() throws IOException {
    List<String> code = new ArrayList<>();
    for (String line : snippet()) {
      code.add(line.strip());
    }
    List<String> shown = javaLines(Files.readAllLines(Path.of("../README.md")));
    assertThat(shown).hasSizeGreaterThan(10);
    for (String line : shown) {
      assertThat(code).contains(line.strip());
    }
  }

  private static List<String> snippet() throws IOException {
    return Files.readAllLines(Path.of("src/main/java/io/vertxrdma/docs/ReadmeExample.java"));
  }

  private static List<String> javaLines(List<String> readme) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : readme) {
      if (line.startsWith("```")) {
        inside = line.equals("```java");
      } else if (inside && !line.isBlank()) {
        lines.add(line);
      }
    }
    return lines;
  }
}
