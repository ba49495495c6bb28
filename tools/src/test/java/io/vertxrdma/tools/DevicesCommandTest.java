package io.vertxrdma.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicesCommandTest {

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final List<RdmaProvider> providers = List.of(FakeProvider.over(fake));

  @AfterEach
  void close() {
    fake.close();
  }

  @Test
  void listsWhatADeviceIsAndCanDo() {
    CommandRun run = CommandRun.with(providers, "devices");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("fake0 (native provider)")
        .contains("ROCE")
        .contains("ACTIVE, Ethernet, MTU ")
        .contains("10.0.0.1, 10.0.0.2")
        .contains("max_qp_rd_atom ")
        .contains("max_qp_init_rd_atom ")
        .doesNotContain("max_mr ");
  }

  @Test
  void listsEveryLimitWhenAskedForMore() {
    assertThat(CommandRun.with(providers, "devices", "-v").out()).contains("max_mr ", "atomics ");
  }

  @Test
  void textFitsEightyColumns() {
    assertThat(CommandRun.with(providers, "devices", "-v").out().lines())
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void jsonHasTheSameForPrograms() {
    fake.device("fake1").address("10.0.1.1");

    JsonArray devices = new JsonArray(CommandRun.with(providers, "devices", "--json").out());

    assertThat(devices).hasSize(2);
    JsonObject device = devices.getJsonObject(0);
    assertThat(device.getString("name")).isEqualTo("fake0");
    assertThat(device.getString("provider")).isEqualTo("native");
    assertThat(device.getString("nodeGuid")).matches("[0-9a-f]{4}(:[0-9a-f]{4}){3}");
    assertThat(device.getJsonObject("limits").getLong("max_qp_rd_atom")).isPositive();
    JsonObject port = device.getJsonArray("ports").getJsonObject(0);
    assertThat(port.getString("state")).isEqualTo("ACTIVE");
    assertThat(port.getJsonArray("addresses")).contains("10.0.0.1", "10.0.0.2");
  }

  @Test
  void an_unknown_provider_is_a_wrong_argument() {
    CommandRun run = CommandRun.with(providers, "devices", "--provider", "none");

    assertThat(run.exitCode()).isEqualTo(64);
    assertThat(run.err()).contains("there is no provider 'none', only native");
  }
}
