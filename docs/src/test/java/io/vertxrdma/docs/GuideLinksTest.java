package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

/** The links of the guide's pages, as the build made them. Nothing is asked of the network. */
class GuideLinksTest {

  private static final Path GUIDE = Path.of("target/guide");

  @Test
  void every_link_and_image_of_a_page_leads_somewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int checked = 0;
    for (Path page : pages()) {
      for (Element element : read(page).select("a[href], link[href], img[src], script[src]")) {
        String target = element.hasAttr("href") ? element.attr("href") : element.attr("src");
        checked++;
        if (!resolves(page, target)) {
          broken.add(page.getFileName() + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(checked).isGreaterThan(50);
  }

  @Test
  void no_page_loads_anything_from_the_network() throws IOException {
    for (Path page : pages()) {
      assertThat(read(page).select("link[href*=:], script, img[src*=:]")).isEmpty();
    }
  }

  @Test
  void the_index_has_every_chapter() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (Element link : read(GUIDE.resolve("index.html")).select("dt a[href]")) {
      listed.add(link.attr("href").replace(".html", ".adoc"));
    }
    Set<String> chapters;
    try (Stream<Path> files = Files.list(Path.of("src/main/asciidoc"))) {
      chapters =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".adoc") && !name.equals("index.adoc"))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    assertThat(listed).isNotEmpty().isEqualTo(chapters);
  }

  private static boolean resolves(Path page, String target) throws IOException {
    URI uri;
    try {
      uri = URI.create(target);
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (uri.getScheme() != null) {
      return uri.getScheme().equals("https") && uri.getHost() != null;
    }
    Path file = uri.getPath().isEmpty() ? page : page.resolveSibling(uri.getPath());
    if (!Files.isRegularFile(file)) {
      return false;
    }
    return uri.getFragment() == null || read(file).getElementById(uri.getFragment()) != null;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(GUIDE)) {
      List<Path> pages = files.filter(file -> file.toString().endsWith(".html")).sorted().toList();
      assertThat(pages).hasSizeGreaterThan(5);
      return pages;
    }
  }

  private static Document read(Path page) throws IOException {
    return Jsoup.parse(page.toFile(), "UTF-8");
  }
}
