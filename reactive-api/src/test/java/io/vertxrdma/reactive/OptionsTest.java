package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.NegotiationMode;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptionsTest {

  private static Arbitrary<Integer> between(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }

  @Provide
  Arbitrary<ConnectionParameters> parameters() {
    return Combinators.combine(
            between(1, 255),
            between(1, 255),
            between(0, 255),
            between(0, 7),
            between(0, 7),
            between(0, 31),
            Arbitraries.of(NegotiationMode.class))
        .as(
            (responder, initiator, flow, retry, rnr, timer, mode) ->
                ConnectionParameters.DEFAULT
                    .withResponderResources(responder)
                    .withInitiatorDepth(initiator)
                    .withMinResponderResources(responder / 2)
                    .withMinInitiatorDepth(initiator - 1)
                    .withFlowControl(flow)
                    .withRetryCount(retry)
                    .withRnrRetryCount(rnr)
                    .withMinRnrTimer(timer)
                    .withNegotiation(mode));
  }

  private <T extends RdmaOptions<T>> Arbitrary<T> common(Arbitrary<T> made) {
    Arbitrary<T> depths =
        Combinators.combine(made, between(1, 1 << 20), between(1, 1 << 20), parameters())
            .as((o, receives, sends, p) -> apply(o, receives, sends, p));
    return Combinators.combine(
            depths,
            Arbitraries.of("auto", "native", "soft"),
            between(0, 10_000),
            between(1, 600_000),
            Arbitraries.of(true, false),
            between(-1, 255),
            Combinators.combine(between(-1, 31), between(0, 3_600_000)).as(List::of))
        .as(
            (o, provider, spin, close, reuse, tos, times) ->
                o.setProvider(provider)
                    .setPollSpinMicros(spin)
                    .setCloseTimeout(close)
                    .setReuseAddress(reuse)
                    .setTypeOfService(tos)
                    .setAckTimeout(times.get(0))
                    .setHeartbeatInterval(times.get(1)));
  }

  private static <T extends RdmaOptions<T>> T apply(
      T options, int receives, int sends, ConnectionParameters parameters) {
    return options
        .setReceiveDepth(receives)
        .setReceiveLowWatermark(receives / 3 - 1)
        .setReceiveRefillBatch(receives > 64 ? RdmaOptions.DERIVED : receives)
        .setSendDepth(sends)
        .setWriteQueueMaxSize(sends % 2 == 0 ? RdmaOptions.DERIVED : sends)
        .setWriteQueueLowWatermark(sends / 3 - 1)
        .setMaxScatterGather(sends % 5 == 0 ? RdmaOptions.DERIVED : 1 + sends % 1_024)
        .setMaxInlineData(sends % 4_097)
        .setReceiveBufferSize(receives % 3 * 1_000)
        .setSharedReceives(receives % 2 == 0 ? null : new SharedReceiveOptions().setDepth(receives))
        .setParameters(parameters);
  }

  @Provide
  Arbitrary<RdmaServerOptions> serverOptions() {
    return common(
        Combinators.combine(
                between(0, 65_535),
                Arbitraries.strings().alpha().ofMinLength(1),
                Arbitraries.integers(),
                between(1, 1 << 20),
                between(1, 600_000),
                Arbitraries.of(true, false))
            .<RdmaServerOptions>as(
                (port, host, backlog, pending, accept, familyOnly) ->
                    new RdmaServerOptions()
                        .setPort(port)
                        .setHost(host)
                        .setBacklog(backlog)
                        .setMaxPendingRequests(pending)
                        .setAcceptTimeout(accept)
                        .setAddressFamilyOnly(familyOnly)));
  }

  @Provide
  Arbitrary<RdmaClientOptions> clientOptions() {
    return common(
        Combinators.combine(
                between(1, 600_000),
                between(1, 600_000),
                Arbitraries.of("10.0.0.1", "fd77::1", "127.0.0.33").injectNull(0.3),
                between(0, 65_535))
            .<RdmaClientOptions>as(
                (connect, resolve, local, port) ->
                    new RdmaClientOptions()
                        .setConnectTimeout(connect)
                        .setResolveTimeout(resolve)
                        .setLocalHost(local)
                        .setLocalPort(port)));
  }

  @Property(tries = 300)
  void serverOptionsSurviveJsonAndCopy(@ForAll("serverOptions") RdmaServerOptions options) {
    JsonObject text = new JsonObject(options.toJson().encode());

    assertThat(new RdmaServerOptions(text).toJson()).isEqualTo(options.toJson());
    assertThat(new RdmaServerOptions(options).toJson()).isEqualTo(options.toJson());
    assertThat(new RdmaServerOptions(text).getParameters()).isEqualTo(options.getParameters());
  }

  @Property(tries = 300)
  void clientOptionsSurviveJsonAndCopy(@ForAll("clientOptions") RdmaClientOptions options) {
    JsonObject text = new JsonObject(options.toJson().encode());

    assertThat(new RdmaClientOptions(text).toJson()).isEqualTo(options.toJson());
    assertThat(new RdmaClientOptions(options).toJson()).isEqualTo(options.toJson());
    assertThat(new RdmaClientOptions(text).getLocalHost()).isEqualTo(options.getLocalHost());
  }

  @Test
  void absentKeysKeepTheirDefaults() {
    assertThat(new RdmaServerOptions(new JsonObject()).toJson())
        .isEqualTo(new RdmaServerOptions().toJson());
    assertThat(new RdmaClientOptions(new JsonObject()).toJson())
        .isEqualTo(new RdmaClientOptions().toJson());
  }

  @Test
  void unknownKeysAreRefusedByName() {
    JsonObject json = new JsonObject().put("recieveDepth", 5).put("sendDepth", 5).put("x", 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaServerOptions(json))
        .withMessageContaining("[recieveDepth, x]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaClientOptions(json))
        .withMessageContaining("[recieveDepth, x]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaClientOptions(new JsonObject().put("backlog", 5)))
        .withMessageContaining("backlog");
  }

  @Test
  void parametersAreAPresetsNameOrThePresetWithChanges() {
    assertThat(new RdmaClientOptions(new JsonObject().put("parameters", "lossy-roce")))
        .extracting(RdmaOptions::getParameters)
        .isEqualTo(ConnectionParameters.LOSSY_ROCE);
    assertThat(
            new RdmaServerOptions(
                new JsonObject("{\"parameters\":{\"preset\":\"read-heavy\",\"flowControl\":1}}")))
        .extracting(RdmaOptions::getParameters)
        .isEqualTo(ConnectionParameters.READ_HEAVY.withFlowControl(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaClientOptions(new JsonObject().put("parameters", "fast")))
        .withMessageContaining("\"fast\"")
        .withMessageContaining("fail-fast");
  }

  @Test
  void refillAndWriteQueueSizesOutOfRangeAreRefused() {
    RdmaClientOptions options = new RdmaClientOptions();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.setReceiveRefillBatch(0))
        .withMessage("receiveRefillBatch must be 1..64, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.setReceiveRefillBatch(65))
        .withMessageContaining("65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.setWriteQueueMaxSize(0))
        .withMessage("writeQueueMaxSize must be 1..1048576, was 0");
    assertThat(options.toJson()).isEqualTo(new RdmaClientOptions().toJson());
  }

  @Test
  void watermarksThatContradictTheirQueuesAreRefusedWhenUsedNamingBoth() {
    RdmaServerOptions receives =
        new RdmaServerOptions().setReceiveLowWatermark(16).setReceiveDepth(16);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RdmaServer.create(null, receives))
        .withMessage("receiveLowWatermark must be below receiveDepth, 16, was 16");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RdmaClient.create(
                    null, new RdmaClientOptions().setSendDepth(4).setWriteQueueLowWatermark(8)))
        .withMessage("writeQueueLowWatermark must be below twice the sendDepth, 8, was 8");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new RdmaClientOptions(
                    new JsonObject().put("writeQueueLowWatermark", 5).put("writeQueueMaxSize", 5)))
        .withMessageContaining("writeQueueLowWatermark must be below writeQueueMaxSize, 5, was 5");
  }

  private static Arguments option(
      String name, BiConsumer<Object, Integer> setter, int least, int most) {
    return Arguments.of(name, setter, least, most);
  }

  private static BiConsumer<Object, Integer> client(BiConsumer<RdmaClientOptions, Integer> setter) {
    return (nothing, value) -> setter.accept(new RdmaClientOptions(), value);
  }

  private static BiConsumer<Object, Integer> server(BiConsumer<RdmaServerOptions, Integer> setter) {
    return (nothing, value) -> setter.accept(new RdmaServerOptions(), value);
  }

  static Stream<Arguments> ranges() {
    return Stream.of(
        option("receiveDepth", client(RdmaClientOptions::setReceiveDepth), 1, 1 << 20),
        option(
            "receiveLowWatermark", client(RdmaClientOptions::setReceiveLowWatermark), -1, 1 << 20),
        option(
            "writeQueueLowWatermark",
            server(RdmaServerOptions::setWriteQueueLowWatermark),
            -1,
            1 << 20),
        option("sendDepth", client(RdmaClientOptions::setSendDepth), 1, 1 << 20),
        option("pollSpinMicros", client(RdmaClientOptions::setPollSpinMicros), 0, 10_000),
        option("closeTimeout", client(RdmaClientOptions::setCloseTimeout), 1, 600_000),
        option("typeOfService", client(RdmaClientOptions::setTypeOfService), -1, 255),
        option("ackTimeout", client(RdmaClientOptions::setAckTimeout), -1, 31),
        option("heartbeatInterval", client(RdmaClientOptions::setHeartbeatInterval), 0, 3_600_000),
        option("maxInlineData", client(RdmaClientOptions::setMaxInlineData), 0, 4_096),
        option("receiveBufferSize", client(RdmaClientOptions::setReceiveBufferSize), 0, 1 << 30),
        option("connectTimeout", client(RdmaClientOptions::setConnectTimeout), 1, 600_000),
        option("resolveTimeout", client(RdmaClientOptions::setResolveTimeout), 1, 600_000),
        option("localPort", client(RdmaClientOptions::setLocalPort), 0, 65_535),
        option("port", server(RdmaServerOptions::setPort), 0, 65_535),
        option("maxPendingRequests", server(RdmaServerOptions::setMaxPendingRequests), 1, 1 << 20),
        option("acceptTimeout", server(RdmaServerOptions::setAcceptTimeout), 1, 600_000));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ranges")
  void aValueOutOfRangeIsRefusedNamingOptionLimitsAndValue(
      String name, BiConsumer<Object, Integer> setter, int least, int most) {
    setter.accept(null, least);
    setter.accept(null, most);
    for (int bad : List.of(least - 1, most + 1, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> setter.accept(null, bad))
          .withMessage(name + " must be " + least + ".." + most + ", was " + bad);
    }
  }

  @Test
  void aValueOutOfRangeInJsonIsRefusedAlike() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaClientOptions(new JsonObject().put("sendDepth", 0)))
        .withMessageContaining("sendDepth must be 1..1048576, was 0");
  }

  @Test
  void aNullOrAValueOfAnotherTypeInJsonIsRefusedNamingTheKey() {
    for (Object bad : new Object[] {null, "many", new JsonObject(), 1.5, 1L << 32 | 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RdmaClientOptions(new JsonObject().put("sendDepth", bad)))
          .withMessageContaining("sendDepth");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RdmaServerOptions(new JsonObject().put("port", bad)))
          .withMessageContaining("port");
    }
    for (String key : List.of("provider", "parameters", "reuseAddress", "host")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RdmaServerOptions(new JsonObject().put(key, 5)))
          .withMessageContaining(key)
          .withMessageContaining("was 5");
    }
  }
}
