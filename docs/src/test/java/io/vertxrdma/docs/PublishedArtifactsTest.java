package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** What applications get of this project: its published modules, their BOM, and the starter. */
class PublishedArtifactsTest {

  private static final Path ROOT = Path.of("..");
  private static final Path STARTER = Path.of("examples/hello/pom.xml");

  @Test
  void the_bom_has_every_published_module_and_no_other() throws IOException {
    assertThat(published()).hasSizeGreaterThan(3);

    assertThat(texts(pom("bom/pom.xml"), "dependencyManagement artifactId"))
        .containsExactlyInAnyOrderElementsOf(published().keySet());
  }

  @Test
  void every_published_pom_says_what_it_is_and_under_which_license() throws IOException {
    List<Document> poms = new ArrayList<>(published().values());
    poms.add(pom("pom.xml"));
    poms.add(pom("bom/pom.xml"));

    for (Document pom : poms) {
      assertThat(text(pom, "project > name")).startsWith("vertx-rdma");
      assertThat(text(pom, "project > description")).isNotBlank();
      assertThat(text(pom, "project > licenses name") + text(pom, "project > parent > artifactId"))
          .isIn("Apache-2.0", "vertx-rdma-parent");
    }
  }

  @Test
  void bom_starter_and_modules_have_one_version() throws IOException {
    String version = text(pom("pom.xml"), "project > version");

    assertThat(text(pom("bom/pom.xml"), "project > version")).isEqualTo(version);
    assertThat(text(pom(STARTER), "dependencyManagement version")).isEqualTo(version);
    for (Document module : published().values()) {
      assertThat(text(module, "project > parent > version")).isEqualTo(version);
    }
  }

  @Test
  void the_starter_is_built_with_the_versions_that_this_build_uses() throws IOException {
    Map<String, String> ours = versions(pom("pom.xml"), "build plugin");
    Map<String, String> starters = versions(pom(STARTER), "build plugin");
    ours.put("logback-classic", text(pom("pom.xml"), "properties > logback\\.version"));
    starters.putAll(versions(pom(STARTER), "project > dependencies > dependency"));

    assertThat(starters).hasSizeGreaterThan(3);
    assertThat(ours).containsAllEntriesOf(starters);
  }

  @Test
  void the_chapter_shows_the_starters_dependencies() throws IOException {
    List<String> starter =
        Files.readAllLines(ROOT.resolve(STARTER)).stream().map(String::strip).toList();
    String chapter = Files.readString(Path.of("src/main/asciidoc/getting-started.adoc"));
    String xml = chapter.split("\\[source,xml]\\R----\\R")[1].split("\\R----\\R")[0];

    assertThat(xml.lines().map(String::strip).filter(line -> !line.isEmpty()).toList())
        .hasSizeGreaterThan(10)
        .isSubsetOf(starter);
  }

  /** The modules that are published, by artifact. */
  private static Map<String, Document> published() throws IOException {
    Map<String, Document> found = new TreeMap<>();
    for (String module : texts(pom("pom.xml"), "modules > module")) {
      Document pom = pom(module + "/pom.xml");
      boolean library = text(pom, "project > packaging").isEmpty();
      if (library && !text(pom, "properties > maven\\.deploy\\.skip").equals("true")) {
        found.put(text(pom, "project > artifactId"), pom);
      }
    }
    return found;
  }

  private static Map<String, String> versions(Document pom, String elements) {
    Map<String, String> versions = new TreeMap<>();
    for (Element element : pom.select(elements)) {
      String version = text(element, "> version");
      if (!version.isEmpty()) {
        versions.put(text(element, "> artifactId"), version);
      }
    }
    return versions;
  }

  private static String text(Element from, String selector) {
    return from.select(selector).text();
  }

  private static List<String> texts(Element from, String selector) {
    return from.select(selector).eachText();
  }

  private static Document pom(String path) throws IOException {
    return pom(Path.of(path));
  }

  private static Document pom(Path path) throws IOException {
    return Jsoup.parse(Files.readString(ROOT.resolve(path)), "", Parser.xmlParser());
  }
}
