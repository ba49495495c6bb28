package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaDatagramOptionsTest {

  private static RdmaDatagramOptions changed() {
    return new RdmaDatagramOptions()
        .setProvider("soft")
        .setReceiveDepth(17)
        .setSendDepth(18)
        .setReceiveBufferSize(2048)
        .setLookupTimeout(19)
        .setResolveTimeout(20)
        .setLocalHost("10.0.0.1")
        .setBacklog(21)
        .setMaxPendingRequests(22)
        .setMaxSenders(23);
  }

  @Test
  void json_and_copies_have_every_value() {
    JsonObject json = changed().toJson();
    assertThat(new RdmaDatagramOptions(json).toJson()).isEqualTo(json);
    assertThat(new RdmaDatagramOptions(changed()).toJson()).isEqualTo(json);
    JsonObject defaults = new RdmaDatagramOptions().toJson();
    assertThat(json.fieldNames()).isEqualTo(defaults.fieldNames());
    for (String key :
        List.of("lookupTimeout", "resolveTimeout", "localHost", "backlog", "maxSenders")) {
      assertThat(json.getValue(key)).as(key).isNotEqualTo(defaults.getValue(key));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"parameters", "sharedReceives", "heartbeatInterval", "ackTimeout", "nonsense"})
  void keys_of_connections_are_unknown(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaDatagramOptions(new JsonObject().put(key, null)))
        .withMessageContaining("unknown options: [" + key + "]");
    assertThat(new RdmaDatagramOptions().toJson().fieldNames()).doesNotContain(key);
  }

  static Stream<UnaryOperator<RdmaDatagramOptions>> ofConnections() {
    return Stream.of(
        options -> options.setParameters(ConnectionParameters.READ_HEAVY),
        options -> options.setSharedReceives(new SharedReceiveOptions()),
        options -> options.setHeartbeatInterval(1),
        options -> options.setAckTimeout(14));
  }

  @ParameterizedTest
  @MethodSource("ofConnections")
  void options_of_connections_are_refused(UnaryOperator<RdmaDatagramOptions> change) {
    Vertx vertx = Vertx.vertx();
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> RdmaDatagramSocket.create(vertx, change.apply(new RdmaDatagramOptions())))
          .withMessageContaining("is for connections");
    } finally {
      Bench.get(vertx.close());
    }
  }

  static Stream<Consumer<RdmaDatagramOptions>> outOfRange() {
    return Stream.of(
        options -> options.setLookupTimeout(0),
        options -> options.setResolveTimeout(600_001),
        options -> options.setMaxPendingRequests(0),
        options -> options.setMaxSenders(0),
        options -> options.setLocalHost("a.name"));
  }

  @ParameterizedTest
  @MethodSource("outOfRange")
  void values_out_of_range_are_refused(Consumer<RdmaDatagramOptions> change) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.accept(new RdmaDatagramOptions()))
        .withMessageContaining("must be");
  }
}
