package io.vertxrdma.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressTest {

  private final Vertx vertx = Vertx.vertx();
  private final StringWriter shown = new StringWriter();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void isOneLineThatIsWrittenOverAndWipedAtTheEnd() {
    Progress progress = Progress.on(new PrintWriter(shown));

    progress.show(3, 10);
    progress.show(2_000_000_000, 2_000_000_000);
    progress.end(vertx);

    String[] written = shown.toString().split("\r");
    assertThat(written).hasSize(4).allMatch(line -> line.length() < 80);
    assertThat(written[1]).startsWith("3 of 10, 30% ");
    assertThat(written[2]).startsWith("2000000000 of 2000000000, 100% ");
    assertThat(written[3]).isBlank().hasSameSizeAs(written[1]);
    assertThat(shown.toString()).endsWith("\r").doesNotContain("\n");
  }

  @Test
  void comesByItselfWhileItRuns() throws Exception {
    CountDownLatch twice = new CountDownLatch(2);
    Progress progress = Progress.on(new PrintWriter(shown));

    progress.start(
        vertx,
        () -> {
          twice.countDown();
          return 1;
        },
        4);

    assertThat(twice.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(shown.toString()).contains("1 of 4, 25%");
  }
}
