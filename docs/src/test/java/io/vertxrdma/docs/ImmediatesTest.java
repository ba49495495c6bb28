package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The chapter on immediates says what the code does. */
@ExtendWith(VertxExtension.class)
class ImmediatesTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private static final String ADDRESS = "127.0.0.88";

  private static final int COUNT = 300;

  private static String chapter() throws IOException {
    return Files.readString(Path.of("src/main/asciidoc/immediates.adoc"));
  }

  @Test
  void theExampleAnswersEachMessageInOrder(Vertx vertx, VertxTestContext test) {
    RdmaServer server =
        Immediates.ringServer(
            RdmaServer.create(vertx, new RdmaServerOptions().setProvider("soft")));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      expected.add("line " + i + "!");
    }
    server
        .listen(0, ADDRESS)
        .compose(
            listening ->
                Immediates.ringClient(
                    RdmaClient.create(vertx, new RdmaClientOptions().setProvider("soft")),
                    listening.actualPort(),
                    ADDRESS))
        .onFailure(test::failNow)
        .onSuccess(
            channel -> {
              channel
                  .buffers()
                  .map(Buffer::toString)
                  .take(COUNT)
                  .toList()
                  .subscribe(
                      all ->
                          test.verify(
                              () -> {
                                assertThat(all).isEqualTo(expected);
                                test.completeNow();
                              }),
                      test::failNow);
              for (int i = 0; i < COUNT; i++) {
                channel.write(Buffer.buffer("line " + i)).onFailure(test::failNow);
              }
            });
  }

  @Test
  void theNumbersOfTheTextAreThoseOfTheCode() throws IOException {
    RingFormat format = RingFormat.DEFAULT;
    assertThat(chapter())
        .contains("A descriptor has " + RingDescriptor.ENCODED_LENGTH + " bytes")
        .contains("| " + format.messageType() + " | slot, ")
        .contains("| " + format.creditType() + " | count, ")
        .contains("Type has the highest " + format.type().width() + " bits");
    assertThat(Immediates.LAYOUT.of("type", 1).with("index", 2).toLong()).isEqualTo(0x0100_0002L);
  }
}
