package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.ConnectionPreset;
import io.vertxrdma.cm.RnrTimer;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaClientOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The chapter on choosing parameters says what the code does. */
class ChoosingParametersTest {

  private static String chapter() throws IOException {
    return Files.readString(Path.of("src/main/asciidoc/choosing-parameters.adoc"));
  }

  @ParameterizedTest
  @EnumSource(ConnectionPreset.class)
  void the_table_has_the_numbers_of_each_preset(ConnectionPreset preset) throws IOException {
    ConnectionParameters numbers = preset.parameters();

    assertThat(numbers.responderResources()).isEqualTo(numbers.initiatorDepth());
    assertThat(chapter())
        .contains(
            String.format(
                "| `%s` | %d | %d | %d | %s\n",
                preset.jsonName(),
                numbers.initiatorDepth(),
                numbers.retryCount(),
                numbers.rnrRetryCount(),
                RnrTimer.text(numbers.minRnrTimer())));
  }

  @Test
  void the_json_is_read_as_the_text_says() throws IOException {
    Matcher json =
        Pattern.compile("\\[source,json\\]\n----\n(.*?)----", Pattern.DOTALL).matcher(chapter());
    assertThat(json.find()).isTrue();

    RdmaClientOptions options = ChoosingParameters.json(json.group(1));

    assertThat(options.getParameters()).isEqualTo(ChoosingParameters.preset().getParameters());
    assertThat(options.getReceiveDepth()).isEqualTo(512);
    assertThat(options.getReceiveLowWatermark()).isEqualTo(128);
  }

  @Test
  void the_room_for_application_bytes_is_the_one_the_text_names() throws IOException {
    Handshake plain = Handshake.builder(1).build();
    Handshake token = ChoosingParameters.token(name -> "a key".getBytes(StandardCharsets.US_ASCII));

    assertThat(chapter().replace('\n', ' '))
        .contains(
            "A request holds "
                + plain.maxRequestBytes()
                + " bytes of the application's, a reply "
                + plain.maxReplyBytes())
        .contains("it is " + token.maxRequestBytes() + " and " + token.maxReplyBytes());
    assertThat(token.accepts(token.encode(Buffer.buffer("anna")))).isTrue();
  }

  @Test
  void every_kind_of_finding_has_its_level_in_the_table() throws IOException {
    long warnings = chapter().lines().filter(line -> line.contains(" | WARN | ")).count();
    long remarks = chapter().lines().filter(line -> line.contains(" | INFO | ")).count();

    // Private data above 64 and above 128 share a row.
    assertThat(warnings + 1).isEqualTo(count(AlignmentFinding.Severity.WARN));
    assertThat(remarks).isEqualTo(count(AlignmentFinding.Severity.INFO));
  }

  private static long count(AlignmentFinding.Severity severity) {
    return Arrays.stream(AlignmentFinding.Kind.values())
        .filter(kind -> kind.severity() == severity)
        .count();
  }

  @Test
  void the_minimum_is_below_its_wish() {
    assertThat(ChoosingParameters.minimum().minInitiatorDepth()).isEqualTo(4);
    assertThat(ChoosingParameters.minimum().initiatorDepth()).isEqualTo(16);
  }
}
