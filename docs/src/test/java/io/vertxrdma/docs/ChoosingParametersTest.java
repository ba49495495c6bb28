package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.ConnectionPreset;
import io.vertxrdma.cm.RnrTimer;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  @Test
  void the_table_of_the_rnr_timer_has_all_codes() throws IOException {
    Matcher pair = Pattern.compile("\\| (\\d+) \\| (\\d+\\.\\d\\d)(?= |\n)").matcher(chapter());
    Map<Integer, Integer> micros = new TreeMap<>();
    while (pair.find()) {
      long value = Math.round(Double.parseDouble(pair.group(2)) * 1000);
      micros.put(Integer.parseInt(pair.group(1)), Math.toIntExact(value));
    }
    assertThat(micros).hasSize(RnrTimer.MAX_CODE + 1);
    micros.forEach((code, value) -> assertThat(value).isEqualTo(RnrTimer.micros(code)));
  }

  @Test
  void each_value_counts_where_the_text_says() throws IOException {
    try (SoftPairs pairs = new SoftPairs("127.0.0.91")) {
      ChoosingParameters.Wishes wishes = ChoosingParameters.whose();
      pairs.listen(
          new RdmaServerOptions().setParameters(wishes.server()),
          new RdmaClientOptions().setParameters(wishes.client()));
      SoftPairs.Pair pair = pairs.connect();
      QueuePairAttributes client = pair.client().queuePairAttributes();
      QueuePairAttributes server = pair.server().queuePairAttributes();

      assertThat(List.of(client.retryCount(), server.retryCount())).containsExactly(2, 2);
      assertThat(List.of(client.rnrRetryCount(), server.rnrRetryCount())).containsExactly(5, 3);
      assertThat(client.maxReadAtomic()).isEqualTo(4);
      assertThat(pair.client().negotiated().initiatorDepth()).isEqualTo(4);
      assertThat(client.minRnrTimer()).isEqualTo(wishes.client().minRnrTimer());
      assertThat(server.minRnrTimer()).isEqualTo(wishes.server().minRnrTimer());
      assertThat(chapter())
          .contains("the client has 4 READs under way, its writes are tried again 5 times");
      assertThat(ladderRow(ChoosingParameters.ladder(pair.client()))).contains("1.6 s");
    }
  }

  @Test
  void the_ladder_of_retry_count_7_ends_when_the_table_says() throws IOException {
    try (SoftPairs pairs = new SoftPairs("127.0.0.91")) {
      pairs.listen(new RdmaServerOptions(), new RdmaClientOptions());
      Duration whole = ChoosingParameters.ladder(pairs.connect().client());
      assertThat(ladderRow(whole)).contains("4.3 s");
    }
  }

  /** The row of the soft provider, if the time is in it. */
  private static String ladderRow(Duration time) throws IOException {
    String row = chapter().lines().filter(line -> line.startsWith("| soft | 17")).findFirst().get();
    String text = String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    assertThat(row).contains("| " + text + " |");
    return text;
  }
}
