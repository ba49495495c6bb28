package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How connections end. */
@Timeout(60)
class SoftDisconnectTest extends SoftPair {

  @Test
  void the_passive_side_disconnects_and_the_active_side_answers() {
    connect(client);

    request.id().disconnect();

    assertThat(client.next(CmEventType.DISCONNECTED).status()).isZero();
    assertThat(there.queuePair.query().state()).isEqualTo(QueuePairState.ERR);
    assertThat(here.queuePair.query().state())
        .as("the peer of who disconnects stays ready")
        .isEqualTo(QueuePairState.RTS);
    assertThat(server.channel.poll()).as("no answer before the application gives it").isNull();
    asking.disconnect();
    assertThat(server.next(CmEventType.DISCONNECTED).status()).isZero();
    assertThat(client.next(CmEventType.TIMEWAIT_EXIT).id()).isSameAs(asking);
    assertThat(server.next(CmEventType.TIMEWAIT_EXIT).id()).isSameAs(request.id());
  }

  @Test
  void the_active_side_disconnects_and_closing_the_other_answers() {
    connect(client);

    asking.disconnect();

    server.next(CmEventType.DISCONNECTED);
    there.close();
    request.id().close();
    assertThat(client.next(CmEventType.DISCONNECTED).status()).isZero();
  }

  @Test
  void both_sides_disconnect_at_once_and_again() {
    connect(client);

    asking.disconnect();
    request.id().disconnect();

    client.next(CmEventType.DISCONNECTED);
    server.next(CmEventType.DISCONNECTED);
    asking.disconnect();
    request.id().disconnect();
  }

  @Test
  void closing_a_connected_id_disconnects_the_peer() {
    connect(client);

    here.close();
    asking.close();

    assertThat(server.next(CmEventType.DISCONNECTED).id()).isSameAs(request.id());
  }
}
