package io.vertxrdma.docs;

import static io.vertxrdma.docs.SoftPairs.get;

import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The first examples print what they should. */
class GettingStartedTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private static final String ADDRESS = "127.0.0.94";

  private final Vertx vertx = Vertx.vertx();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private PrintStream before;

  @BeforeEach
  void listenToWhatIsPrinted() {
    before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    System.setOut(before);
    get(vertx.close());
  }

  private void assertPrinted(String line) {
    SoftPairs.until(vertx, line, () -> printed.toString(StandardCharsets.UTF_8).contains(line));
  }

  @Test
  void the_chapter_prints_the_line_that_the_client_wrote() {
    get(GettingStarted.serve(vertx, ADDRESS));
    get(GettingStarted.write(vertx, ADDRESS));
    assertPrinted("42: hello");
  }

  @Test
  void the_readme_prints_the_line_that_the_client_wrote() {
    RdmaServer server = ReadmeExample.serve(vertx, ADDRESS);
    SoftPairs.until(vertx, "it listens", () -> server.actualPort() > 0);
    ReadmeExample.write(vertx, ADDRESS);
    assertPrinted("with 5 bytes: hello");
    assertPrinted("written");
  }
}
