package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.RdmaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An id moves to another event channel with all it has waiting. */
class MigrationTest {

  private final FakeRig rig = new FakeRig();
  private final CmEventChannel other = rig.closing(rig.provider.createEventChannel());

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @Test
  void waiting_events_come_out_of_the_new_channel_with_the_same_id() {
    CmId id = rig.id();
    CmId stays = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    stays.resolveAddress(null, FakeRig.SERVER, 1000);
    id.migrate(other);
    assertThat(rig.next(CmEventType.ADDR_RESOLVED).id()).isSameAs(stays);
    assertThat(rig.channel().poll()).isNull();
    assertThat(other.poll().id()).isSameAs(id);
    assertThat(rig.channel().liveIds()).isEqualTo(1);
    assertThat(other.liveIds()).isEqualTo(1);
    id.close();
    assertThat(other.liveIds()).isZero();
  }

  @Test
  void requests_of_a_moved_listener_belong_to_the_new_channel() {
    CmId listener = rig.listener();
    listener.migrate(other);
    rig.fake.incomingRequest(rig.pointer(listener)).enqueue();
    CmId child = other.poll().id();
    assertThat(other.liveIds()).isEqualTo(2);
    child.close();
  }

  @Test
  void a_migration_that_fails_changes_nothing() {
    CmId id = rig.id();
    rig.fake.failNext("rdma_migrate_id", 12);
    assertThatThrownBy(() -> id.migrate(other)).isInstanceOf(RdmaException.class);
    assertThat(other.liveIds()).isZero();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    assertThat(rig.next(CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
  }

  @Test
  void the_pointer_of_an_id_can_be_found_for_scripting() {
    CmId id = rig.id();
    assertThat(FakeProvider.pointer(id)).isEqualTo(rig.fake.lastId());
    id.close();
    rig.fake.event(FakeProvider.pointer(id)).type(10).enqueue();
    assertThat(rig.channel().poll()).isNull();
  }
}
