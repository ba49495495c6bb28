package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.cm.AlignmentFinding.Kind;
import io.vertxrdma.cm.AlignmentFinding.Severity;
import io.vertxrdma.core.ConnParam;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignmentTest {

  private static final DeviceLimits DEVICE = new DeviceLimits(128, 128);

  private static PeerOffer request(int depth, int retryCount, int rnrRetryCount, int dataLength) {
    return new PeerOffer(depth, 1, 0, retryCount, rnrRetryCount, false, 17, dataLength);
  }

  private static List<AlignmentFinding> check(PeerOffer request) {
    return Alignment.ofRequest(request, 4, DriverQuirks.NONE);
  }

  @Test
  void aPeerThatFitsHasNoFindings() {
    assertThat(check(request(4, 6, 6, 64))).isEmpty();
  }

  @Test
  void aDepthAboveOurResourcesIsForetold() {
    assertThat(check(request(16, 6, 6, 0)))
        .extracting(AlignmentFinding::kind, AlignmentFinding::ours, AlignmentFinding::theirs)
        .containsExactly(tuple(Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES, 4, 16));
    assertThat(check(request(16, 6, 6, 0)).get(0).text()).contains("16 exceeds our", " 4:");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6, RETRY_COUNT_ZERO, WARN, both ends",
    "7, 6, RETRY_COUNT_HIGHEST, INFO, noticed late",
    "6, 0, RNR_RETRY_COUNT_ZERO, WARN, RNR retry counter exceeded",
    "6, 7, RNR_RETRY_COUNT_FOREVER, INFO, without an end"
  })
  void retryCountsAtTheirEdgesAreToldOf(
      int retryCount, int rnrRetryCount, Kind kind, Severity severity, String text) {
    List<AlignmentFinding> found = check(request(1, retryCount, rnrRetryCount, 0));

    assertThat(found).extracting(AlignmentFinding::kind).containsExactly(kind);
    assertThat(found.get(0).kind().severity()).isEqualTo(severity);
    assertThat(found.get(0).text()).contains(text);
  }

  @ParameterizedTest
  @CsvSource({"65, PRIVATE_DATA_LARGE", "128, PRIVATE_DATA_LARGE", "129, PRIVATE_DATA_TOO_LARGE"})
  void longPrivateDataIsWarnedOfOnce(int length, Kind kind) {
    assertThat(check(request(1, 6, 6, length)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.kind()).isEqualTo(kind);
              assertThat(found.kind().severity()).isEqualTo(Severity.WARN);
              assertThat(found.text()).contains(length + " bytes");
            });
  }

  @Test
  void paddingIsNoPrivateData() {
    byte[] padded = Arrays.copyOf(new byte[] {1, 0, 2, 0, 0}, 196);

    PeerOffer seen = PeerOffer.of(new ConnParam(padded, 1, 1, 0, 6, 6, false, 1));

    assertThat(seen.privateDataLength()).isEqualTo(3);
    assertThat(check(seen)).isEmpty();
    assertThat(PeerOffer.of(ConnParam.ZERO).privateDataLength()).isZero();
  }

  @Test
  void aReplyHasNoRetryCountOfItsOwn() {
    PeerOffer reply = request(9, 0, 0, 70);

    assertThat(Alignment.ofReply(reply, 1))
        .extracting(AlignmentFinding::kind)
        .containsExactly(
            Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES,
            Kind.RNR_RETRY_COUNT_ZERO,
            Kind.PRIVATE_DATA_LARGE);
  }

  @Test
  void theLineOfAnOfferHasTheDepthsAsThePeerSetThem() {
    assertThat(new PeerOffer(5, 3, 1, 2, 4, true, 0x11, 9))
        .hasToString(
            "initiatorDepth=5 responderResources=3 flowControl=1 retryCount=2 rnrRetryCount=4"
                + " srq=true qpNum=0x11 privateData=9B");
  }

  /** What is told at the request is what accepting with the same parameters comes to. */
  @Property
  void requestAndAcceptAgree(
      @ForAll @IntRange(max = 255) int wanted,
      @ForAll @IntRange(max = 300) int device,
      @ForAll @IntRange(max = 255) int depth,
      @ForAll @IntRange(max = 7) int retries,
      @ForAll @IntRange(max = 255) int dataLength) {
    ConnectionParameters parameters = ConnectionParameters.DEFAULT.withResponderResources(wanted);
    DeviceLimits limits = new DeviceLimits(device, DEVICE.maxInitiatorDepth());
    PeerOffer request = request(depth, retries, retries, dataLength);

    assertThat(Alignment.ofRequest(request, parameters, limits, DriverQuirks.NONE))
        .isEqualTo(Negotiation.forAccept(parameters, limits, request).findings());
  }
}
