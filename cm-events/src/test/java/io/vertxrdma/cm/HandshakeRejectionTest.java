package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandshakeRejectionTest {

  private static RdmaException rejected(byte[] privateData) {
    return CmFailures.of(CmEventType.REJECTED, 8, 28, 0, privateData, Role.ACTIVE, "10.0.0.1:1");
  }

  @ParameterizedTest
  @EnumSource(HandshakeRejection.Code.class)
  void whatARejectCarriesIsATypedFailureWithItsTextAtTheOtherEnd(HandshakeRejection.Code code) {
    HandshakeRejection sent = HandshakeRejection.of(code, "because of this");

    assertThat(rejected(Arrays.copyOf(sent.encode(), 148)))
        .isInstanceOfSatisfying(
            HandshakeRejectedException.class,
            failure -> {
              assertThat(failure.rejection()).isEqualTo(sent);
              assertThat(failure.rejection().known()).contains(code);
              assertThat(failure.reason()).isEqualTo(28);
            })
        .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status 28")
        .hasMessageEndingWith(": " + code + " (" + code.number() + "): because of this");
  }

  @Test
  void rawPrivateDataStaysAnOrdinaryRejection() {
    for (String raw :
        new String[] {"", "no", "VXR", "VXRJ", "VXRJ\1", "VXRJ\1\5text", "VXRK\1\1a"}) {
      byte[] bytes = raw.getBytes(StandardCharsets.ISO_8859_1);
      assertThat(HandshakeRejection.decode(bytes)).isEmpty();
      assertThat(rejected(bytes)).isExactlyInstanceOf(ConnectionRejectedException.class);
    }
    assertThat(rejected(null)).isExactlyInstanceOf(ConnectionRejectedException.class);
  }

  @Test
  void anApplicationsCodeKeepsItsNumber() {
    HandshakeRejection full = new HandshakeRejection(200, "the room is full");

    assertThat(full.known()).isEmpty();
    assertThat(full).hasToString("code (200): the room is full");
    assertThat(HandshakeRejection.decode(full.encode())).contains(full);
  }

  @Test
  void aTextThatWouldUpsetATerminalIsCleaned() {
    assertThat(new HandshakeRejection(64, "a\u001B[2J\nb\u009Bc").text()).isEqualTo("a [2J b c");
    byte[] evil = new HandshakeRejection(64, "abc").encode();
    evil[7] = 0x1B;
    assertThat(HandshakeRejection.decode(evil).orElseThrow().text()).isEqualTo("a c");
  }

  @Test
  void aTextIsLimitedAndTheHandshakesOwnIsCut() {
    assertThat(new HandshakeRejection(64, "x".repeat(142)).encode()).hasSize(148);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HandshakeRejection(64, "ü".repeat(72)))
        .withMessage("the text of a rejection has at most 142 bytes, this has 144");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HandshakeRejection(256, ""))
        .withMessageContaining("256");
    assertThat(HandshakeRejection.of(HandshakeRejection.Code.ROLE, "ü".repeat(72)).text())
        .matches("ü{71}");
  }

  @Property
  void everyRejectionSurvivesTheWire(
      @ForAll @IntRange(max = 255) int code,
      @ForAll String text,
      @ForAll @IntRange(max = 90) int pad) {
    HandshakeRejection sent = new HandshakeRejection(code, HandshakeRejection.cut(text));
    byte[] bytes = sent.encode();

    assertThat(bytes.length).isLessThanOrEqualTo(148);
    assertThat(HandshakeRejection.decode(Arrays.copyOf(bytes, bytes.length + pad))).contains(sent);
  }

  @Property
  void anyBytesAreARejectionOrNone(@ForAll @Size(max = 200) byte[] bytes, @ForAll boolean marked) {
    if (marked && bytes.length >= 4) {
      System.arraycopy("VXRJ".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 4);
    }
    HandshakeRejection.decode(bytes)
        .ifPresent(found -> assertThat(found.encode().length).isLessThanOrEqualTo(148));
  }
}
