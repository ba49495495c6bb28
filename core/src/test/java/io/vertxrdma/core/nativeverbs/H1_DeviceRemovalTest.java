package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the provider does when a device goes away: report it, and let everything be closed. */
class H1_DeviceRemovalTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @Test
  void listener_and_connections_each_hear_of_it_once_and_everything_can_be_closed() {
    CmId listener = rig.listener();
    List<CmId> ids = new ArrayList<>(List.of(listener));
    for (int i = 0; i < 3; i++) {
      rig.fake.replyTo("rdma_connect").type(9);
      ids.add(rig.connected());
    }
    rig.fake.holdSends(true);
    QueuePair pair = ids.get(1).queuePair();
    try (SendBatch batch = pair.allocateSendBatch(2, 0)) {
      batch.add(1, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, 0, 0, 0);
      batch.add(2, SendOpcode.RDMA_WRITE_WITH_IMM, 0, 0, 0, 0);
      assertThat(batch.post()).isZero();
    }
    rig.fake.removeDevice("fake0");
    List<CmId> told = new ArrayList<>();
    for (CmEvent event = rig.channel().poll(); event != null; event = rig.channel().poll()) {
      assertThat(event.type()).isEqualTo(CmEventType.DEVICE_REMOVAL);
      told.add(event.id());
    }
    assertThat(told).containsExactlyInAnyOrderElementsOf(ids);
    // ENXIO is what a disconnect answers now; nothing is wrong with that.
    ids.get(1).disconnect();
    pair.toError();
    WorkCompletions completions = rig.queue().allocate(8);
    assertThat(rig.queue().poll(completions)).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      assertThat(completions.workRequestId(i)).isEqualTo(i + 1);
      assertThat(WorkCompletionStatus.of(completions.status(i)))
          .isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
    }
    ids.forEach(CmId::close);
    assertThat(rig.fake.ids()).isEmpty();
  }

  @Test
  void a_removed_device_is_no_longer_listed_and_a_new_one_is() {
    assertThat(rig.provider.devices()).extracting("name").containsExactly("fake0");
    rig.fake.removeDevice("fake0");
    assertThat(rig.provider.devices()).isEmpty();
    rig.fake.device("fake1").address("10.0.0.1");
    assertThat(rig.provider.devices()).extracting("name").containsExactly("fake1");
    CmId listener = rig.closing(rig.channel().createId(io.vertxrdma.core.PortSpace.TCP));
    listener.bind(FakeRig.SERVER);
    assertThat(listener.device().name()).isEqualTo("fake1");
  }
}
