package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.DeviceAttributes;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReceivePlanTest {

  private final Bench bench = new Bench();
  private final DeviceAttributes device = bench.connection().device().attributes();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  @Test
  void aSharedPoolHoldsTheWindowsOfAllPeers() {
    RdmaServerOptions options =
        new ReceivePlan(8, 512).<RdmaServerOptions>shared(new RdmaServerOptions(), device);
    SharedReceiveOptions shared = options.getSharedReceives();
    assertThat(shared.getDepth()).isEqualTo(4_096);
    assertThat(shared.getMaxDepth()).isEqualTo(4_096);
    assertThat(shared.getShare()).isEqualTo(512);
  }

  @Test
  void ownReceivesAreTheWindowOfOnePeer() {
    RdmaServerOptions options =
        new ReceivePlan(8, 512).<RdmaServerOptions>own(new RdmaServerOptions(), device);
    assertThat(options.getReceiveDepth()).isEqualTo(512);
    assertThat(options.getSharedReceives()).isNull();
  }

  @Test
  void aPlanThatTheDeviceCanNotHoldIsRefusedWithBothNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceivePlan(1_000, 1_000).shared(new RdmaServerOptions(), device))
        .withMessageContaining("1000000")
        .withMessageContaining("the device has");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceivePlan(2_000, 2_000))
        .withMessageContaining("4000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceivePlan(0, 5))
        .withMessageContaining("peers must be 1..1048576, was 0");
  }

  @Property(tries = 200)
  void sharedReceivesSurviveJsonAndCopy(
      @ForAll @IntRange(min = 1, max = 1 << 20) int depth,
      @ForAll @IntRange(min = 1, max = 100) int part) {
    SharedReceiveOptions options =
        new SharedReceiveOptions()
            .setDepth(depth)
            .setMaxDepth(
                part % 2 == 0 ? SharedReceiveOptions.DERIVED : Math.min(1 << 20, depth + part))
            .setShare(part % 3 == 0 ? SharedReceiveOptions.DERIVED : Math.min(depth, part))
            .setLowWatermark(part % 5 == 0 ? SharedReceiveOptions.DERIVED : depth / (part + 1));
    assertThat(new SharedReceiveOptions(new JsonObject(options.toJson().encode())))
        .isEqualTo(options);
    assertThat(new SharedReceiveOptions(options)).isEqualTo(options).hasSameHashCodeAs(options);
  }

  @Test
  void sharedReceivesThatContradictThemselvesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SharedReceiveOptions(new JsonObject().put("depth", 100).put("maxDepth", 99)))
        .withMessageContaining("maxDepth must be at least the depth, 100, was 99");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SharedReceiveOptions(new JsonObject().put("depth", 100).put("share", 101)))
        .withMessageContaining("share");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SharedReceiveOptions(new JsonObject().put("deepness", 1)))
        .withMessageContaining("deepness");
  }
}
