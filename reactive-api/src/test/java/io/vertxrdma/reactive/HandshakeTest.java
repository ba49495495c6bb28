package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.HandshakeRejection.Code;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {

  private static final int MAGIC = 0x4C4F4753;
  private static final byte[] KEY =
      "a key of thirty-two random bytes".getBytes(StandardCharsets.US_ASCII);
  private static final Handshake PLAIN = Handshake.builder(MAGIC).version(1).build();
  private static final Handshake SECRET =
      Handshake.builder(MAGIC).version(1).token(message -> KEY).build();

  private static Buffer bytes(int length) {
    return Buffer.buffer(new byte[length]).setByte(Math.max(0, length - 1), (byte) 7);
  }

  /** As a device delivers private data: the whole field, zeros at the end. */
  private static Buffer padded(Buffer data, int field) {
    return data.copy().appendBytes(new byte[field - data.length()]);
  }

  private static Code refusal(Handshake handshake, Buffer data) {
    assertThat(handshake.accepts(data)).isFalse();
    HandshakeRejection told =
        HandshakeRejection.decode(handshake.reason(data).getBytes()).orElseThrow();
    assertThat(told.text()).isNotEmpty();
    return told.known().orElseThrow();
  }

  @Test
  void theLayoutIsTheDocumentedOne() {
    Buffer data =
        Handshake.builder(MAGIC)
            .versions(2, 5)
            .role(3)
            .capabilities(0x0102_0304)
            .build()
            .encode(Buffer.buffer("hi"));

    assertThat(data.getBytes())
        .isEqualTo(
            Buffer.buffer("LOGS")
                .appendBytes(new byte[] {2, 5, 3, 1, 2, 3, 4, 2})
                .appendString("hi")
                .getBytes());
  }

  @Test
  void theTokenIsTheFirstHalfOfHmacSha256OverTheRest() throws Exception {
    Buffer data = SECRET.encode(Buffer.buffer("hi"));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));

    byte[] whole = mac.doFinal(data.getBytes(0, data.length() - 16));

    assertThat(data.length()).isEqualTo(12 + 2 + 16);
    assertThat(data.getBytes(14, 30)).isEqualTo(Arrays.copyOf(whole, 16));
    assertThat(data.getByte(6)).isEqualTo((byte) 0x80);
  }

  @Test
  void whatIsLeftForTheApplicationIsSaidExactly() {
    assertThat(PLAIN.maxRequestBytes()).isEqualTo(44);
    assertThat(SECRET.maxRequestBytes()).isEqualTo(28);
    assertThat(PLAIN.maxReplyBytes()).isEqualTo(184);
    assertThat(SECRET.maxReplyBytes()).isEqualTo(168);
    for (Handshake handshake : new Handshake[] {PLAIN, SECRET}) {
      assertThat(handshake.encode(bytes(handshake.maxRequestBytes())).length()).isEqualTo(56);
      assertThat(handshake.encodeReply(bytes(handshake.maxReplyBytes())).length()).isEqualTo(196);
    }
  }

  @Test
  void moreThanFitsIsRefusedNamingLimitAndLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PLAIN.encode(bytes(45)))
        .withMessage("the application bytes of a handshake's request are limited to 44, got 45");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SECRET.encodeReply(bytes(169)))
        .withMessage("the application bytes of a handshake's reply are limited to 168, got 169");
  }

  @Test
  void aMemoryDescriptorFitsBesideAToken() {
    RemoteMemory memory = new RemoteMemory(0xFEDC_BA98_7654_3000L, 0x89ABCDEF, 4096);

    HandshakeMessage read = SECRET.decode(padded(SECRET.encode(memory.encode()), 56));

    assertThat(RemoteMemory.decode(read.application())).isEqualTo(memory);
    assertThat(read.application().length()).isEqualTo(16);
  }

  @Test
  void theHighestCommonVersionIsSpoken() {
    Handshake here = Handshake.builder(MAGIC).versions(2, 4).build();

    assertThat(here.decode(Handshake.builder(MAGIC).versions(1, 3).build().encode()).version())
        .isEqualTo(3);
    assertThat(here.decode(Handshake.builder(MAGIC).versions(4, 9).build().encode()).version())
        .isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 255})
  void withoutACommonVersionBothRangesAreTold(int there) {
    Handshake here = Handshake.builder(MAGIC).versions(2, 4).build();
    Buffer data = Handshake.builder(MAGIC).version(there).build().encode();

    assertThat(refusal(here, data)).isEqualTo(Code.VERSION);
    assertThatThrownBy(() -> here.decode(data))
        .isInstanceOf(HandshakeException.class)
        .hasMessage("versions 2 to 4 are spoken here, " + there + " to " + there + " there");
  }

  @Test
  void rolesAndCapabilitiesAreChecked() {
    Handshake server =
        Handshake.builder(MAGIC)
            .role(1)
            .expectRoles(2, 63)
            .requireCapabilities(0x8000_0001)
            .build();

    HandshakeMessage client =
        server.decode(Handshake.builder(MAGIC).role(63).capabilities(0xC000_0001).build().encode());
    assertThat(client.role()).isEqualTo(63);
    assertThat(client.has(0x4000_0000)).isTrue();
    assertThat(client.has(0x4000_0002)).isFalse();
    assertThat(refusal(server, Handshake.builder(MAGIC).role(1).capabilities(-1).build().encode()))
        .isEqualTo(Code.ROLE);
    Buffer incapable = Handshake.builder(MAGIC).role(2).capabilities(1).build().encode();
    assertThat(refusal(server, incapable)).isEqualTo(Code.CAPABILITY);
    assertThatThrownBy(() -> server.decode(incapable)).hasMessageContaining("0x80000000");
  }

  @Test
  void strangersAndDamageAreToldApart() {
    assertThat(refusal(PLAIN, Buffer.buffer())).isEqualTo(Code.NO_HANDSHAKE);
    assertThat(refusal(PLAIN, Buffer.buffer(new byte[56]))).isEqualTo(Code.NO_HANDSHAKE);
    assertThat(refusal(PLAIN, Handshake.builder(1).version(1).build().encode()))
        .isEqualTo(Code.NO_HANDSHAKE);
    assertThatThrownBy(() -> Handshake.builder(2).protocol("logs").build().decode(PLAIN.encode()))
        .hasMessage("logs is spoken here, and the private data lacks its magic number");
    Buffer cut = PLAIN.encode(bytes(20)).slice(0, 31);
    assertThat(refusal(PLAIN, cut)).isEqualTo(Code.MALFORMED);
    assertThat(refusal(PLAIN, PLAIN.encodeReply())).isEqualTo(Code.MALFORMED);
    assertThatThrownBy(() -> PLAIN.decodeReply(PLAIN.encode()))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("a request came where a reply belongs");
  }

  @Test
  void aTokenIsRequiredWhereKeysAreUsed() {
    assertThat(refusal(SECRET, PLAIN.encode())).isEqualTo(Code.TOKEN_MISSING);
    assertThat(PLAIN.accepts(SECRET.encode())).as("without keys it is not looked at").isTrue();
  }

  @Test
  void anyChangedBitIsNoticed() {
    Buffer data = SECRET.encode(Buffer.buffer("pay 10"));
    assertThat(SECRET.accepts(data)).isTrue();
    for (int bit = 0; bit < data.length() * 8; bit++) {
      Buffer changed = data.copy();
      changed.setByte(bit / 8, (byte) (changed.getByte(bit / 8) ^ 1 << bit % 8));
      assertThat(SECRET.accepts(changed)).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void anotherKeyAnUnknownKeyAndAFailingLookUpLookTheSame() {
    Buffer data = SECRET.encode();
    Handshake other = Handshake.builder(MAGIC).version(1).token(message -> new byte[32]).build();
    Handshake unknown = Handshake.builder(MAGIC).version(1).token(message -> null).build();
    Handshake empty = Handshake.builder(MAGIC).version(1).token(message -> new byte[0]).build();
    IllegalStateException broken = new IllegalStateException("key store is away");
    Handshake failing =
        Handshake.builder(MAGIC)
            .version(1)
            .token(
                message -> {
                  throw broken;
                })
            .build();

    for (Handshake handshake : new Handshake[] {other, unknown, empty, failing}) {
      assertThat(refusal(handshake, data)).isEqualTo(Code.TOKEN_WRONG);
    }
    assertThatThrownBy(() -> failing.decode(data)).hasCause(broken);
    assertThatIllegalStateException().isThrownBy(unknown::encode).withMessageContaining("no key");
  }

  @Test
  void aKeyCanBeChosenByWhatTheMessageSays() {
    Handshake byName =
        Handshake.builder(MAGIC)
            .token(
                message -> ("key of " + message.application()).getBytes(StandardCharsets.US_ASCII))
            .build();

    Buffer data = byName.encode(Buffer.buffer("anna"));

    assertThat(byName.decode(data).application().toString()).isEqualTo("anna");
    assertThat(refusal(byName, data.copy().setString(12, "otto"))).isEqualTo(Code.TOKEN_WRONG);
  }

  @Test
  void aReasonForWhatIsAcceptedDoesNotExist() {
    assertThatIllegalStateException().isThrownBy(() -> PLAIN.reason(PLAIN.encode()));
  }

  @Test
  void anApplicationsOwnReasonHasACodeOfItsOwn() {
    assertThat(HandshakeRejection.decode(Handshake.reason(64, "full").getBytes()))
        .contains(new HandshakeRejection(64, "full"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Handshake.reason(63, "full"))
        .withMessageContaining("64..255, was 63");
  }

  @Test
  void builderArgumentsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Handshake.builder(1).versions(3, 2))
        .withMessageContaining("3..2");
    assertThatIllegalArgumentException().isThrownBy(() -> Handshake.builder(1).version(256));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Handshake.builder(1).role(64))
        .withMessage("role must be 0..63, was 64");
    assertThatIllegalArgumentException().isThrownBy(() -> Handshake.builder(1).expectRoles(0, -1));
  }

  @Property
  void everyMessageSurvivesTheWire(
      @ForAll int magic,
      @ForAll @IntRange(max = 255) int version,
      @ForAll @IntRange(max = 63) int role,
      @ForAll int capabilities,
      @ForAll boolean token,
      @ForAll boolean reply,
      @ForAll @Size(max = 28) byte[] application) {
    Handshake.Builder builder =
        Handshake.builder(magic).version(version).role(role).capabilities(capabilities);
    Handshake handshake = (token ? builder.token(message -> KEY) : builder).build();

    HandshakeMessage read =
        reply
            ? handshake.decodeReply(padded(handshake.encodeReply(Buffer.buffer(application)), 196))
            : handshake.decode(padded(handshake.encode(Buffer.buffer(application)), 56));

    assertThat(read)
        .isEqualTo(
            new HandshakeMessage(
                version, version, version, role, capabilities, Buffer.buffer(application)));
  }

  @Property(tries = 5000)
  void anyBytesAreAcceptedOrRefusedWithACode(
      @ForAll @Size(max = 80) byte[] bytes, @ForAll boolean magic, @ForAll boolean reply) {
    Buffer data = Buffer.buffer(bytes);
    if (magic && bytes.length >= 4) {
      data.setInt(0, MAGIC);
    }
    for (Handshake handshake : new Handshake[] {PLAIN, SECRET}) {
      try {
        HandshakeMessage read = reply ? handshake.decodeReply(data) : handshake.decode(data);
        assertThat(read.version()).isEqualTo(1);
      } catch (HandshakeException refused) {
        assertThat(
                HandshakeRejection.decode(refused.toPrivateData().getBytes()).orElseThrow().known())
            .contains(refused.reason());
      }
    }
  }

  @Property
  void aCutMessageIsNeverAccepted(
      @ForAll @Size(max = 28) byte[] application,
      @ForAll @IntRange(min = 1, max = 56) int missing) {
    Buffer whole = SECRET.encode(Buffer.buffer(application));
    Buffer cut = whole.slice(0, Math.max(0, whole.length() - missing));

    assertThat(SECRET.accepts(cut)).isFalse();
  }
}
