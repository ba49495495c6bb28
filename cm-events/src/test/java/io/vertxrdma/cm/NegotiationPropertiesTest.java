package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.AlignmentFinding.Kind;
import io.vertxrdma.core.ConnParam;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class NegotiationPropertiesTest {

  @Provide
  Arbitrary<ConnectionParameters> wanted() {
    Arbitrary<Integer> depths = Arbitraries.integers().between(0, 255).edgeCases(e -> e.add(255));
    Arbitrary<Integer> counts = Arbitraries.integers().between(0, 7);
    return Combinators.combine(depths, depths, depths, counts, counts)
        .as(
            (resources, depth, flow, retries, rnr) ->
                ConnectionParameters.DEFAULT
                    .withResponderResources(resources)
                    .withInitiatorDepth(depth)
                    .withFlowControl(flow)
                    .withRetryCount(retries)
                    .withRnrRetryCount(rnr));
  }

  @Provide
  Arbitrary<DeviceLimits> limits() {
    Arbitrary<Long> values =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 300),
            Arbitraries.longs().between(0, 0xffff_ffffL),
            Arbitraries.of(0L, 1L, 255L, 256L, 65_535L, 0x8000_0000L));
    return Combinators.combine(values, values).as(DeviceLimits::new);
  }

  @Provide
  Arbitrary<PeerOffer> offers() {
    Arbitrary<Integer> depths = Arbitraries.integers().between(0, 255);
    Arbitrary<Integer> counts = Arbitraries.integers().between(0, 7);
    return Combinators.combine(depths, depths, counts, counts)
        .as((r, i, retries, rnr) -> new PeerOffer(r, i, 0, retries, rnr, false, 0, 0));
  }

  @Property
  void connectNeverExceedsAnyLimit(
      @ForAll("wanted") ConnectionParameters wanted, @ForAll("limits") DeviceLimits limits) {
    NegotiatedParameters got =
        Negotiation.forConnect(wanted, limits, DriverQuirks.forDriver("rxe"));

    assertThat((long) got.responderResources())
        .isBetween(0L, limits.maxResponderResources())
        .isLessThanOrEqualTo(wanted.responderResources());
    assertThat((long) got.initiatorDepth())
        .isBetween(0L, limits.maxInitiatorDepth())
        .isLessThanOrEqualTo(wanted.initiatorDepth());
    assertThat(got.retryCount()).isLessThanOrEqualTo(Math.min(6, wanted.retryCount()));
    assertExplained(wanted, got);
    assertNativeAgrees(got, limits);
  }

  @Property
  void acceptNeverExceedsAnyLimit(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer offer) {
    NegotiatedParameters got = Negotiation.forAccept(wanted, limits, offer);

    assertThat((long) got.responderResources())
        .isBetween(0L, limits.maxResponderResources())
        .isLessThanOrEqualTo(wanted.responderResources())
        .isLessThanOrEqualTo(offer.responderResources());
    assertThat((long) got.initiatorDepth())
        .isBetween(0L, limits.maxInitiatorDepth())
        .isLessThanOrEqualTo(wanted.initiatorDepth())
        .isLessThanOrEqualTo(offer.initiatorDepth());
    assertThat(got.findings())
        .extracting(AlignmentFinding::kind)
        .filteredOn(Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES::equals)
        .hasSize(offer.responderResources() <= got.responderResources() ? 0 : 1);
    assertExplained(wanted, got);
    assertNativeAgrees(got, limits);
  }

  @Property
  void aHigherWishNeverGivesLess(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer offer,
      @ForAll @IntRange(max = 255) int more) {
    ConnectionParameters higher =
        wanted
            .withResponderResources(Math.min(255, wanted.responderResources() + more))
            .withInitiatorDepth(Math.min(255, wanted.initiatorDepth() + more));

    assertNoLess(Negotiation.forConnect(wanted, limits), Negotiation.forConnect(higher, limits));
    assertNoLess(
        Negotiation.forAccept(wanted, limits, offer), Negotiation.forAccept(higher, limits, offer));
  }

  @Property
  void aWiderDeviceOrPeerNeverGivesLess(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer offer,
      @ForAll @IntRange(max = 255) int more) {
    DeviceLimits wider =
        new DeviceLimits(
            Math.min(0xffff_ffffL, limits.maxResponderResources() + more),
            Math.min(0xffff_ffffL, limits.maxInitiatorDepth() + more));
    PeerOffer generous =
        CmTestData.offer(
            Math.min(255, offer.responderResources() + more),
            Math.min(255, offer.initiatorDepth() + more));
    NegotiatedParameters narrow = Negotiation.forAccept(wanted, limits, offer);

    assertNoLess(narrow, Negotiation.forAccept(wanted, wider, offer));
    assertNoLess(narrow, Negotiation.forAccept(wanted, limits, generous));
  }

  @Property
  void strictEitherRefusesOrGivesWhatClampGives(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer offer) {
    NegotiatedParameters clamped = Negotiation.forAccept(wanted, limits, offer);
    NegotiatedParameters strict;
    try {
      strict = Negotiation.forAccept(wanted.withNegotiation(NegotiationMode.STRICT), limits, offer);
    } catch (NegotiationException refused) {
      assertThat((long) refused.wanted()).isGreaterThan(refused.limit());
      assertThat(clamped.adjustments()).extracting(Adjustment::field).contains(refused.field());
      return;
    }
    assertThat(strict).usingRecursiveComparison().ignoringFields("wanted").isEqualTo(clamped);
    assertThat(strict.clamped()).isFalse();
  }

  @Property
  void aReplyNeverGivesMoreThanWasAskedForOrThePeerServes(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer reply,
      @ForAll @IntRange(max = 255) int more) {
    NegotiatedParameters asked = Negotiation.forConnect(wanted, limits);

    NegotiatedParameters got = Negotiation.forReply(asked, reply);

    assertThat(got.responderResources())
        .isLessThanOrEqualTo(asked.responderResources())
        .isLessThanOrEqualTo(reply.responderResources());
    assertThat(got.initiatorDepth())
        .isLessThanOrEqualTo(asked.initiatorDepth())
        .isLessThanOrEqualTo(reply.initiatorDepth());
    assertThat(got.retryCount()).isEqualTo(asked.retryCount());
    PeerOffer generous =
        CmTestData.offer(
            Math.min(255, reply.responderResources() + more),
            Math.min(255, reply.initiatorDepth() + more));
    assertNoLess(got, Negotiation.forReply(asked, generous));
  }

  @Property
  void aMinimumIsEitherKeptOrRefusedByName(
      @ForAll("wanted") ConnectionParameters wanted,
      @ForAll("limits") DeviceLimits limits,
      @ForAll("offers") PeerOffer offer,
      @ForAll @IntRange(max = 255) int least) {
    ConnectionParameters demanding =
        wanted
            .withMinInitiatorDepth(Math.min(least, wanted.initiatorDepth()))
            .withMinResponderResources(Math.min(least, wanted.responderResources()));
    NegotiatedParameters got;
    try {
      got = Negotiation.forAccept(demanding, limits, offer);
    } catch (NegotiationException refused) {
      assertThat(refused.field()).isIn("minInitiatorDepth", "minResponderResources");
      assertThat((long) refused.wanted()).isGreaterThan(refused.limit());
      return;
    }
    assertThat(got.initiatorDepth()).isGreaterThanOrEqualTo(demanding.minInitiatorDepth());
    assertThat(got.responderResources())
        .isGreaterThanOrEqualTo(
            Math.min(demanding.minResponderResources(), offer.responderResources()));
    assertThat(got.adjustments())
        .isEqualTo(Negotiation.forAccept(wanted, limits, offer).adjustments());
  }

  private static void assertExplained(ConnectionParameters wanted, NegotiatedParameters got) {
    assertThat(got.adjustments()).allMatch(a -> a.wanted() != a.used());
    assertThat(got.adjustments().stream().anyMatch(a -> a.field().equals("responderResources")))
        .isEqualTo(
            wanted.responderResources() != 255
                && wanted.responderResources() != got.responderResources());
    assertThat(got.adjustments().stream().anyMatch(a -> a.field().equals("initiatorDepth")))
        .isEqualTo(
            wanted.initiatorDepth() != 255 && wanted.initiatorDepth() != got.initiatorDepth());
  }

  private static void assertNativeAgrees(NegotiatedParameters got, DeviceLimits limits) {
    ConnParam handed = got.toConnParam(null, false);
    if (limits.maxResponderResources() <= 255) {
      assertThat(handed.responderResources()).isEqualTo(got.responderResources());
    }
    if (limits.maxInitiatorDepth() <= 255) {
      assertThat(handed.initiatorDepth()).isEqualTo(got.initiatorDepth());
    }
    boolean accepted =
        acceptable(handed.responderResources(), limits.librdmacmResponderResources())
            && acceptable(handed.initiatorDepth(), limits.librdmacmInitiatorDepth());
    assertThat(got.refusals().isEmpty()).isEqualTo(accepted);
  }

  /** librdmacm's own check (ucma_valid_param). */
  private static boolean acceptable(int value, int believed) {
    return value == 255 || value <= believed;
  }

  private static void assertNoLess(NegotiatedParameters low, NegotiatedParameters high) {
    assertThat(high.responderResources()).isGreaterThanOrEqualTo(low.responderResources());
    assertThat(high.initiatorDepth()).isGreaterThanOrEqualTo(low.initiatorDepth());
  }
}
