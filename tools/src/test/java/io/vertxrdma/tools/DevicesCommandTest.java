package io.vertxrdma.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevicesCommandTest {

  private static final String SYSFS = "vertx.rdma.sysfs";

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final List<RdmaProvider> providers = List.of(FakeProvider.over(fake));

  @AfterEach
  void close() {
    System.clearProperty(SYSFS);
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
  void moreHasGidsAndTheCountersThatAreNotZero(@TempDir Path sysfs) throws IOException {
    withCounters(sysfs, Map.of("sent_pkts", "18446744073709551615", "rcvd_err", "0"));

    assertThat(CommandRun.with(providers, "devices").out())
        .doesNotContain("sent_pkts")
        .doesNotContain("GIDs");
    assertThat(CommandRun.with(providers, "devices", "-v").out())
        .contains("  counters    sent_pkts 18446744073709551615" + System.lineSeparator())
        .contains("0000:0000:0000:0000:0000:ffff:0a00:0001")
        .doesNotContain("rcvd_err");
  }

  @Test
  void jsonHasEveryCounter(@TempDir Path sysfs) throws IOException {
    withCounters(sysfs, Map.of("sent_pkts", "12", "rcvd_err", "0"));

    JsonObject port =
        new JsonArray(CommandRun.with(providers, "devices", "--json").out())
            .getJsonObject(0)
            .getJsonArray("ports")
            .getJsonObject(0);

    assertThat(port.getJsonObject("counters"))
        .isEqualTo(new JsonObject().put("sent_pkts", 12).put("rcvd_err", 0));
    assertThat(port.getJsonArray("gids")).contains("0000:0000:0000:0000:0000:ffff:0a00:0002");
  }

  private static void withCounters(Path sysfs, Map<String, String> counters) throws IOException {
    System.setProperty(SYSFS, sysfs.toString());
    Path folder = Files.createDirectories(sysfs.resolve("fake0/ports/1/hw_counters"));
    for (Map.Entry<String, String> counter : counters.entrySet()) {
      Files.writeString(folder.resolve(counter.getKey()), counter.getValue() + "\n");
    }
  }

  @Test
  void devicesOfEveryProviderAreListedUnlessOneIsNamed() {
    FakeNativeCalls other = new FakeNativeCalls();
    try {
      other.removeDevice("fake0").device("other0").address("10.0.2.1");
      List<RdmaProvider> both =
          List.of(FakeProvider.over(fake), renamed("soft", FakeProvider.over(other)));

      assertThat(CommandRun.with(both, "devices").out())
          .contains("fake0 (native provider)", "other0 (soft provider)");
      assertThat(CommandRun.with(both, "devices", "--provider", "soft").out())
          .contains("other0 (soft provider)")
          .doesNotContain("fake0");
    } finally {
      other.close();
    }
  }

  @Test
  void whyAProviderHasNoDeviceIsSaidBesideThoseOfTheOther() {
    List<RdmaProvider> both =
        List.of(CommandLineTest.missing("soft", "nothing of that kind"), providers.get(0));

    CommandRun run = CommandRun.with(both, "devices");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("fake0 (native provider)")
        .endsWith("No soft device: nothing of that kind" + System.lineSeparator());
    assertThat(new JsonArray(CommandRun.with(both, "devices", "--json").out())).hasSize(1);
  }

  private static RdmaProvider renamed(String name, RdmaProvider provider) {
    return (RdmaProvider)
        Proxy.newProxyInstance(
            DevicesCommandTest.class.getClassLoader(),
            new Class<?>[] {RdmaProvider.class},
            (proxy, method, arguments) ->
                method.getName().equals("name") ? name : method.invoke(provider, arguments));
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
