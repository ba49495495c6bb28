package io.vertxrdma.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.ext.healthchecks.CheckResult;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertxrdma.observability.health.RdmaHealth;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;

class RdmaHealthTest {

  @Test
  void a_provider_is_well_as_long_as_a_port_is_active() {
    try (FakeMachine machine = new FakeMachine()) {
      machine.fake.device("fake0");
      HealthChecks checks = HealthChecks.create(machine.vertx);
      checks.register("rdma", RdmaHealth.provider(machine.vertx, machine.provider));

      CheckResult well = FakeMachine.get(checks.checkStatus("rdma"));
      assertThat(CheckResult.isUp(well)).isTrue();
      assertThat(well.getData().getJsonArray("ports").getJsonObject(0).getMap())
          .containsEntry("device", "fake0")
          .containsEntry("port", 1)
          .containsEntry("state", "ACTIVE");

      machine.fake.device("fake0").portState(1);
      CheckResult down = FakeMachine.get(checks.checkStatus("rdma"));
      assertThat(CheckResult.isUp(down)).isFalse();
      assertThat(down.getData().getJsonArray("ports").getJsonObject(0).getString("state"))
          .isEqualTo("DOWN");
    }
  }

  @Test
  void a_provider_without_a_device_is_not_and_says_why() {
    try (FakeMachine machine = new FakeMachine()) {
      machine.fake.noDevices();
      HealthChecks checks = HealthChecks.create(machine.vertx);
      checks.register("rdma", RdmaHealth.provider(machine.vertx, machine.provider));

      CheckResult result = FakeMachine.get(checks.checkStatus("rdma"));

      assertThat(CheckResult.isUp(result)).isFalse();
      assertThat(result.getData().getString("reason")).contains("no RDMA device");
    }
  }

  @Test
  void a_listener_is_well_while_it_has_its_device() {
    try (FakeMachine machine = new FakeMachine()) {
      machine.fake.device("fake0").address(FakeMachine.HOST);
      machine.fake.strictAddresses();
      RdmaServer server =
          RdmaServer.create(
              machine.vertx, new RdmaServerOptions().setRearmDelay(1), machine.provider);
      server.connectRequestHandler(ConnectRequest::accept);
      HealthChecks checks = HealthChecks.create(machine.vertx);
      checks.register("listener", RdmaHealth.listener(server));
      assertThat(isUp(checks)).isFalse();

      FakeMachine.get(server.listen(FakeMachine.PORT, FakeMachine.HOST));
      assertThat(isUp(checks)).isTrue();

      machine.fake.removeDevice("fake0");
      FakeMachine.until(() -> !isUp(checks));
      CheckResult lost = FakeMachine.get(checks.checkStatus("listener"));
      assertThat(lost.getData().getString("reason")).contains("DEVICE_REMOVAL");

      machine.fake.device("fake1").address(FakeMachine.HOST);
      FakeMachine.until(() -> isUp(checks));

      FakeMachine.get(server.close());
      assertThat(isUp(checks)).isFalse();
    }
  }

  private static boolean isUp(HealthChecks checks) {
    return CheckResult.isUp(FakeMachine.get(checks.checkStatus("listener")));
  }
}
