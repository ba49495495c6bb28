package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.RdmaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class A2_AddressErrorTest {

  @ParameterizedTest
  @CsvSource({
    "ADDR_ERROR,-19,ENODEV,No such device",
    "ADDR_ERROR,-101,ENETUNREACH,Network is unreachable",
    "ADDR_ERROR,-110,ETIMEDOUT,Connection timed out",
    "ROUTE_ERROR,-19,ENODEV,No such device",
    "ROUTE_ERROR,-110,ETIMEDOUT,Connection timed out"
  })
  void anEventNamesAddressAndErrno(CmEventType type, int status, String symbol, String text) {
    RdmaException error =
        CmFailures.of(CmTestData.event(type, status), Role.ACTIVE, "192.0.2.7:18515");

    assertThat(error)
        .isInstanceOf(AddressException.class)
        .hasMessageStartingWith(
            type.nativeName() + ", error: " + status + " (" + symbol + ": " + text + ")")
        .hasMessageContaining("192.0.2.7:18515");
    assertThat(error.code()).isEqualTo(status);
    assertThat(error.symbol()).isEqualTo(symbol);
  }

  @ParameterizedTest
  @CsvSource({"rdma_bind_addr,99", "rdma_bind_addr,19", "rdma_resolve_addr,101"})
  void aRefusedCallGivesTheSameType(String operation, int errno) {
    assertThat(CmFailures.ofCall(RdmaException.ofErrno(operation, errno), "192.0.2.7:0", null))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("192.0.2.7:0")
        .hasMessageContaining("errno " + errno);
  }

  @Test
  void a1AMissingDeviceIsSaidInPlainWords() {
    assertThat(
            CmFailures.of(
                CmTestData.event(CmEventType.ADDR_ERROR, -19), Role.ACTIVE, "127.0.0.1:18515"))
        .hasMessageContaining("no RDMA device for address 127.0.0.1:18515");
    CmEvent fromLibrary =
        new CmEvent(CmEventType.ROUTE_ERROR.code(), -1, 19, CmTestData.id(), null, ConnParam.ZERO);
    assertThat(CmFailures.of(fromLibrary, Role.ACTIVE, "127.0.0.1:18515"))
        .hasMessageContaining("ENODEV")
        .hasMessageContaining("no RDMA device for address 127.0.0.1:18515");
  }

  @Test
  void aStatusOfTheSubnetAdministratorIsNoErrno() {
    assertThat(CmFailures.of(CmTestData.event(CmEventType.ROUTE_ERROR, 3), Role.ACTIVE, "x"))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("error: 3 (subnet administrator's status)");
  }
}
