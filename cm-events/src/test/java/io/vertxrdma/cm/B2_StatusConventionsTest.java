package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.UnreachableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class B2_StatusConventionsTest {

  private static final String PEER = "10.0.0.1:18515";

  private static RdmaException failure(CmEventType type, int status, Role role) {
    return CmFailures.of(CmTestData.event(type, status), role, PEER);
  }

  @ParameterizedTest
  @CsvSource({
    "8,no listener",
    "10,stale connection",
    "28,consumer defined",
    "77,unknown reason",
    "0,unknown reason",
    "-111,Connection refused",
    "-110,Connection timed out"
  })
  void aRejectionHasReasonNumberAndWords(int status, String words) {
    RdmaException error = failure(CmEventType.REJECTED, status, Role.ACTIVE);

    assertThat(error)
        .isInstanceOf(ConnectionRejectedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status " + status + " (")
        .hasMessageContaining(words);
    assertThat(((ConnectionRejectedException) error).reason()).isEqualTo(status);
  }

  @Test
  void aRejectionCarriesThePeersData() {
    CmEvent event =
        CmTestData.event(
            CmEventType.REJECTED, 28, new ConnParam(new byte[] {4, 2}, 0, 0, 0, 0, 0, false, 0));

    assertThat(CmFailures.of(event, Role.ACTIVE, PEER))
        .isInstanceOfSatisfying(
            ConnectionRejectedException.class,
            e -> assertThat(e.privateData()).containsExactly(4, 2));
    assertThat(
            ((ConnectionRejectedException)
                    CmFailures.of(CmEventType.REJECTED, 8, 28, 0, null, Role.ACTIVE, PEER))
                .privateData())
        .isEmpty();
  }

  @Test
  void aRejectedReplyIsAPeerThatIsGone() {
    assertThat(failure(CmEventType.REJECTED, 4, Role.PASSIVE))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status 4 (timeout)")
        .hasMessageContaining(PEER);
  }

  @Test
  void noAnswer() {
    RdmaException error = failure(CmEventType.UNREACHABLE, -110, Role.ACTIVE);

    assertThat(error)
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("RDMA_CM_EVENT_UNREACHABLE, -110 (ETIMEDOUT: Connection timed out)")
        .hasMessageContaining(PEER);
    assertThat(error.symbol()).isEqualTo("ETIMEDOUT");
    assertThat(error.operation()).isEqualTo("rdma_connect");
    assertThat(failure(CmEventType.UNREACHABLE, -110, Role.PASSIVE).operation())
        .isEqualTo("rdma_accept");
  }

  @Test
  void aStatusOfMinusOneIsExplainedByErrno() {
    CmEvent event =
        new CmEvent(
            CmEventType.CONNECT_ERROR.code(), -1, 22, CmTestData.id(), null, ConnParam.ZERO);

    RdmaException error = CmFailures.of(event, Role.ACTIVE, PEER);

    assertThat(error)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("RDMA_CM_EVENT_CONNECT_ERROR, error: -1")
        .hasMessageContaining("failed in librdmacm, EINVAL: Invalid argument");
    assertThat(error.code()).isEqualTo(-1);
    assertThat(error.symbol()).isEqualTo("EINVAL");
  }

  @Test
  void anErrnoBesideAnyOtherStatusSaysNothing() {
    RdmaException error =
        CmFailures.of(CmEventType.CONNECT_ERROR, 6, -104, 22, null, Role.ACTIVE, PEER);

    assertThat(error.symbol()).isEqualTo("ECONNRESET");
    assertThat(error).hasMessageContaining("ECONNRESET").hasMessageNotContaining("EINVAL");
  }

  @Test
  void anUnnamedErrnoStaysANumber() {
    assertThat(failure(CmEventType.CONNECT_ERROR, -4095, Role.ACTIVE))
        .hasMessageContaining("error: -4095 (errno 4095)");
  }

  @Test
  void endsOfOtherKinds() {
    assertThat(failure(CmEventType.DISCONNECTED, 0, Role.ACTIVE))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_DISCONNECTED (10)");
    assertThat(failure(CmEventType.DEVICE_REMOVAL, 0, Role.PASSIVE))
        .isInstanceOf(DeviceRemovedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_DEVICE_REMOVAL (11)");
    assertThat(failure(CmEventType.ADDR_CHANGE, 0, Role.ACTIVE))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_ADDR_CHANGE (14)");
    assertThat(failure(CmEventType.CONNECT_RESPONSE, 0, Role.ACTIVE))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no queue pair");
  }

  @ParameterizedTest
  @EnumSource(CmEventType.class)
  void everyEventHasAnException(CmEventType type) {
    for (Role role : Role.values()) {
      assertThat(failure(type, -5, role)).hasMessageContaining("RDMA_CM_EVENT_" + type.name());
    }
    assertThat(CmFailures.of(CmEventType.UNKNOWN, 42, 0, 0, null, Role.ACTIVE, ""))
        .hasMessageContaining("RDMA_CM_EVENT_UNKNOWN (42)");
  }

  @Test
  void l7AnAcceptRefusedWithEinvalIsAPeerThatIsGone() {
    RdmaException thrown = RdmaException.ofErrno("rdma_accept", 22);

    RdmaException typed = CmFailures.ofCall(thrown, PEER, null);

    assertThat(typed)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("Invalid argument")
        .hasMessageContaining(PEER)
        .hasCause(thrown);
    assertThat(typed.code()).isEqualTo(22);
  }

  @Test
  void refusedCallsGetTheTypeOfTheirErrno() {
    assertThat(CmFailures.ofCall(RdmaException.ofErrno("rdma_bind_addr", 98), PEER, null))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("Address already in use");
    assertThat(CmFailures.ofCall(RdmaException.ofErrno("rdma_connect", 6), PEER, null))
        .isInstanceOf(DeviceRemovedException.class);
    assertThat(CmFailures.ofCall(RdmaException.ofErrno("rdma_connect", 110), PEER, null))
        .isInstanceOf(UnreachableException.class);
    assertThat(CmFailures.ofCall(RdmaException.ofErrno("rdma_connect", 12), PEER, null))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Cannot allocate memory");
    for (int errno : new int[] {12, 22}) {
      RdmaException other = RdmaException.ofErrno("rdma_create_qp", errno);
      assertThat(CmFailures.ofCall(other, PEER, null)).isSameAs(other);
    }
    RdmaException unnamed = RdmaException.ofErrno("rdma_connect", 4095);
    assertThat(CmFailures.ofCall(unnamed, PEER, null)).isSameAs(unnamed);
    RdmaException typed = new UnreachableException("x", 22, "EINVAL", "typed already");
    assertThat(CmFailures.ofCall(typed, PEER, null)).isSameAs(typed);
  }

  @Test
  void l15ADeadlineSaysHowFarItCame() {
    assertThat(CmFailures.timeout(ConnectionState.CONNECTING, Role.ACTIVE, 500, PEER))
        .isInstanceOf(ConnectTimeoutException.class)
        .hasMessage("rdma_connect timed out after 500 ms while connecting, " + PEER);
    assertThat(CmFailures.closed(ConnectionState.RESOLVING_ROUTE, Role.ACTIVE, PEER))
        .hasMessage("closed locally while resolving the route, " + PEER);
  }
}
