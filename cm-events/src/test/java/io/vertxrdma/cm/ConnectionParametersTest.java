package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionParametersTest {

  private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;

  static Stream<Arguments> fields() {
    return Stream.of(
        field("responderResources", 255, DEFAULT::withResponderResources),
        field("initiatorDepth", 255, DEFAULT::withInitiatorDepth),
        field("flowControl", 255, DEFAULT::withFlowControl),
        field("retryCount", 7, DEFAULT::withRetryCount),
        field("rnrRetryCount", 7, DEFAULT::withRnrRetryCount),
        field("minRnrTimer", 31, DEFAULT::withMinRnrTimer));
  }

  private static Arguments field(String name, int limit, IntFunction<ConnectionParameters> with) {
    return Arguments.of(name, limit, with);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void everyFieldIsCheckedAtOnceAndKept(
      String name, int limit, IntFunction<ConnectionParameters> with) {
    for (int wrong : new int[] {-1, limit + 1, 300, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> with.apply(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(name + " must be 0.." + limit + ", was " + wrong);
      assertThatThrownBy(() -> ConnectionParameters.fromJson(DEFAULT.toJson().put(name, wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name)
          .hasMessageContaining(String.valueOf(wrong));
    }
    for (int right : new int[] {0, limit}) {
      JsonObject expected = DEFAULT.toJson().put(name, right);
      assertThat(with.apply(right).toJson()).isEqualTo(expected);
      assertThat(with.apply(right).toString()).contains(name + "=" + right);
    }
    assertThat(with.apply(limit)).isNotEqualTo(with.apply(limit - 1));
    assertThat(with.apply(3)).isEqualTo(with.apply(3)).hasSameHashCodeAs(with.apply(3));
  }

  @Test
  void theDefaultIsForWriteWithImmediate() {
    assertThat(DEFAULT).isEqualTo(ConnectionParameters.WRITE_WITH_IMMEDIATE);
    assertThat(DEFAULT.responderResources()).isEqualTo(1);
    assertThat(DEFAULT.initiatorDepth()).isEqualTo(1);
    assertThat(DEFAULT.flowControl()).isZero();
    assertThat(DEFAULT.retryCount()).isEqualTo(7);
    assertThat(DEFAULT.rnrRetryCount()).isEqualTo(7);
    assertThat(DEFAULT.minRnrTimer()).isEqualTo(12);
    assertThat(DEFAULT.negotiation()).isEqualTo(NegotiationMode.CLAMP);
  }

  @Test
  void thePresetsAreWhatTheySay() {
    assertThat(ConnectionParameters.READ_HEAVY.responderResources()).isEqualTo(16);
    assertThat(ConnectionParameters.READ_HEAVY.initiatorDepth()).isEqualTo(16);
    assertThat(ConnectionParameters.SEND_RECEIVE.initiatorDepth()).isEqualTo(1);
    assertThat(ConnectionParameters.LOSSY_ROCE.retryCount()).isEqualTo(7);
    assertThat(ConnectionParameters.FAIL_FAST.retryCount()).isLessThan(7);
    assertThat(ConnectionParameters.FAIL_FAST.rnrRetryCount()).isBetween(1, 6);
  }

  @Test
  void oneLineWithAllFields() {
    assertThat(DEFAULT)
        .hasToString(
            "responderResources=1 initiatorDepth=1 flowControl=0 retryCount=7 rnrRetryCount=7"
                + " minRnrTimer=12 (0.64 ms) negotiation=clamp");
  }

  @Test
  void jsonHasEveryField() {
    assertThat(DEFAULT.toJson().getMap())
        .containsOnlyKeys(
            "responderResources",
            "initiatorDepth",
            "minResponderResources",
            "minInitiatorDepth",
            "flowControl",
            "retryCount",
            "rnrRetryCount",
            "minRnrTimer",
            "negotiation");
  }

  @Test
  void whatJsonLeavesOutIsAsInTheDefault() {
    assertThat(ConnectionParameters.fromJson(new JsonObject())).isEqualTo(DEFAULT);
    assertThat(new ConnectionParameters(new JsonObject("{\"initiatorDepth\":255}")))
        .isEqualTo(DEFAULT.withInitiatorDepth(255));
    assertThat(ConnectionParameters.fromJson(new JsonObject("{\"negotiation\":\"STRICT\"}")))
        .isEqualTo(DEFAULT.withNegotiation(NegotiationMode.STRICT));
  }

  @ParameterizedTest
  @EnumSource(ConnectionPreset.class)
  void everyPresetIsFoundByItsNameAndCanBeChanged(ConnectionPreset preset) {
    JsonObject json = new JsonObject().put("preset", preset.jsonName());

    assertThat(ConnectionParameters.fromJson(json)).isEqualTo(preset.parameters());
    assertThat(ConnectionParameters.fromJson(json.copy().put("retryCount", 5)))
        .isEqualTo(preset.parameters().withRetryCount(5));
    assertThat(ConnectionPreset.ofJsonName(preset.name().replace('_', '-'))).isEqualTo(preset);
    assertThat(preset.parameters().flowControl()).isZero();
    assertThat(preset.parameters().minInitiatorDepth()).isZero();
  }

  @Test
  void anUnknownPresetIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> ConnectionParameters.fromJson(new JsonObject().put("preset", "lossy")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"lossy\"")
        .hasMessageContaining("write-with-immediate")
        .hasMessageContaining("lossy-roce");
  }

  @Test
  void aMinimumAboveItsWishIsRefusedNamingBoth() {
    ConnectionParameters four =
        ConnectionParameters.READ_HEAVY.withMinInitiatorDepth(4).withMinResponderResources(2);

    assertThat(four.minInitiatorDepth()).isEqualTo(4);
    assertThat(four.minResponderResources()).isEqualTo(2);
    assertThat(four.toString()).contains("minInitiatorDepth=4", "minResponderResources=2");
    assertThatThrownBy(() -> four.withMinInitiatorDepth(17))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("minInitiatorDepth must be at most initiatorDepth, 16, was 17");
    assertThatThrownBy(() -> four.withInitiatorDepth(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 4");
    assertThat(four.withInitiatorDepth(255).withMinInitiatorDepth(255).minInitiatorDepth())
        .isEqualTo(255);
  }

  @Test
  void anUnknownKeyIsNamed() {
    assertThatThrownBy(
            () -> ConnectionParameters.fromJson(new JsonObject().put("responderResource", 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"responderResource\"")
        .hasMessageContaining("responderResources");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"retryCount\":\"7\"}",
        "{\"retryCount\":1.5}",
        "{\"retryCount\":null}",
        "{\"retryCount\":4294967296}",
        "{\"negotiation\":\"loose\"}",
        "{\"negotiation\":null}"
      })
  void aValueOfTheWrongKindIsRefused(String json) {
    assertThatThrownBy(() -> ConnectionParameters.fromJson(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(retryCount|negotiation) must be .*");
  }

  @Property
  void jsonRoundTrip(
      @ForAll @IntRange(max = 255) int resources,
      @ForAll @IntRange(max = 255) int depth,
      @ForAll @IntRange(max = 255) int minResources,
      @ForAll @IntRange(max = 255) int minDepth,
      @ForAll @IntRange(max = 255) int flow,
      @ForAll @IntRange(max = 7) int retries,
      @ForAll @IntRange(max = 7) int rnr,
      @ForAll @IntRange(max = 31) int timer,
      @ForAll NegotiationMode mode) {
    ConnectionParameters parameters =
        DEFAULT
            .withResponderResources(resources)
            .withInitiatorDepth(depth)
            .withMinResponderResources(Math.min(resources, minResources))
            .withMinInitiatorDepth(Math.min(depth, minDepth))
            .withFlowControl(flow)
            .withRetryCount(retries)
            .withRnrRetryCount(rnr)
            .withMinRnrTimer(timer)
            .withNegotiation(mode);

    ConnectionParameters back =
        ConnectionParameters.fromJson(new JsonObject(parameters.toJson().encode()));

    assertThat(back).isEqualTo(parameters).hasSameHashCodeAs(parameters);
    assertThat(back.responderResources()).isEqualTo(resources);
    assertThat(back.initiatorDepth()).isEqualTo(depth);
    assertThat(back.flowControl()).isEqualTo(flow);
    assertThat(back.retryCount()).isEqualTo(retries);
    assertThat(back.rnrRetryCount()).isEqualTo(rnr);
    assertThat(back.minRnrTimer()).isEqualTo(timer);
    assertThat(back.negotiation()).isEqualTo(mode);
  }

  @Test
  void rnrTimerCodesMeanWhatTheSpecificationSays() {
    assertThat(RnrTimer.micros(0)).isEqualTo(655_360);
    assertThat(RnrTimer.micros(1)).isEqualTo(10);
    assertThat(RnrTimer.micros(12)).isEqualTo(640);
    assertThat(RnrTimer.micros(14)).isEqualTo(1_280);
    assertThat(RnrTimer.micros(31)).isEqualTo(491_520);
    for (int code = 2; code <= 31; code++) {
      assertThat(RnrTimer.micros(code)).isGreaterThan(RnrTimer.micros(code - 1));
    }
    assertThatThrownBy(() -> RnrTimer.micros(32)).isInstanceOf(IllegalArgumentException.class);
    assertThat(RnrTimer.text(12)).isEqualTo("0.64 ms");
  }
}
