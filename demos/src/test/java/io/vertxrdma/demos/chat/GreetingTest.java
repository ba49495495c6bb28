package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.Greeting.HubGreeting;
import io.vertxrdma.demos.chat.Greeting.Welcome;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GreetingTest {

  private static final RingDescriptor RING =
      new RingDescriptor(new RemoteMemory(0xFEDC_BA98_7654_3000L, 0x89ABCDEF, 64 * 512), 64, 512);

  /** As a device delivers private data: the whole field, zeros at the end. */
  private static Buffer padded(Buffer data, int field) {
    return data.copy().appendBytes(new byte[field - data.length()]);
  }

  @Test
  void aHelloWithTheLongestNicknameFitsIntoARequest() {
    Hello hello = new Hello("ü".repeat(Names.MAX_NICK / 2), RING);

    assertThat(hello.encode().length()).isLessThanOrEqualTo(56);
    assertThat(Greeting.read(padded(hello.encode(), 56))).isEqualTo(hello);
  }

  @Test
  void aWelcomeWithTheLongestRoomFitsIntoAReply() {
    Welcome welcome = new Welcome("r".repeat(Names.MAX_ROOM), RING);

    assertThat(welcome.encode().length()).isLessThanOrEqualTo(196);
    assertThat(Welcome.decode(padded(welcome.encode(), 196))).isEqualTo(welcome);
  }

  @Test
  void hubsGreetEachOtherByIdAndPort() {
    HubGreeting greeting = new HubGreeting("0a1b2c3d", 65_535, RING);

    assertThat(greeting.encode().length()).isLessThanOrEqualTo(56);
    assertThat(Greeting.read(padded(greeting.encode(), 56))).isEqualTo(greeting);
    assertThat(HubGreeting.decodeReply(padded(greeting.encodeReply(), 196))).isEqualTo(greeting);
  }

  @Test
  void aMemberIsNoHubAndAHubIsNoMember() {
    Buffer reply = new Welcome("lobby", RING).encode();

    assertThatThrownBy(() -> HubGreeting.decodeReply(reply))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("a hub's greeting of 21 bytes; must be 26");
    assertThatThrownBy(() -> Welcome.decode(new HubGreeting("0a1b2c3d", 1, RING).encode()))
        .isInstanceOf(HandshakeException.class);
  }

  @Test
  void aRefusalFitsIntoARejectAndIsReadable() {
    Buffer data = Greeting.refusal("the nickname " + "n".repeat(24) + " is taken");

    assertThat(HandshakeRejection.decode(padded(data, 148).getBytes()).orElseThrow().text())
        .isEqualTo("the nickname nnnnnnnnnnnnnnnnnnnnnnnn is taken");
  }

  @Test
  void strangersAreToldSo() {
    assertThatThrownBy(() -> Greeting.read(Buffer.buffer(new byte[56])))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("magic number");
    assertThatThrownBy(() -> Welcome.decode(Buffer.buffer()))
        .isInstanceOf(HandshakeException.class);
    assertThatThrownBy(() -> Welcome.decode(new Hello("anna", RING).encode()))
        .isInstanceOf(HandshakeException.class);
  }

  @Test
  void anotherVersionIsNamed() {
    Buffer data =
        padded(new Hello("anna", RING).encode(), 56).setByte(4, (byte) 9).setByte(5, (byte) 9);

    assertThatThrownBy(() -> Greeting.read(data))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("versions 3 to 3 are spoken here, 9 to 9 there");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 12, 27, 31})
  void aHelloThatIsCutOffIsRefused(int length) {
    Buffer data = new Hello("anna", RING).encode().slice(0, length);

    assertThatThrownBy(() -> Greeting.read(data)).isInstanceOf(HandshakeException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "a:b", "tab\t", "\u001B[2J"})
  void nicknamesThatWouldConfuseReadersAreRefused(String nick) {
    assertThatThrownBy(() -> Greeting.read(new Hello(nick, RING).encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("a nickname has letters");
  }

  @Test
  void aNicknameIsMeasuredInBytes() {
    assertThat(Names.objectionToNick("ü".repeat(12))).isNull();
    assertThat(Names.objectionToNick("ü".repeat(13)))
        .isEqualTo("a nickname has at most 24 bytes, this has 26");
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 0, 512, slots",
    "4096, 65, 512, slots",
    "4096, 64, 63, bytes",
    "4096, 64, 513, bytes",
    "-1000, 64, 512, wraps around"
  })
  void ringsThatNobodyHereWouldMakeAreRefused(
      long address, int slots, int slotSize, String objection) {
    Buffer data =
        Buffer.buffer()
            .appendLong(address)
            .appendInt(7)
            .appendUnsignedShort(slots)
            .appendUnsignedShort(slotSize);

    assertThatThrownBy(() -> ChatRing.decode(data, 0))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining(objection);
  }
}
