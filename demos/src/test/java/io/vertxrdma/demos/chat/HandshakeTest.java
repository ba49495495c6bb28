package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.chat.Handshake.Hello;
import io.vertxrdma.demos.chat.Handshake.Refusal;
import io.vertxrdma.demos.chat.Handshake.Welcome;
import io.vertxrdma.reactive.RemoteMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {

  private static final RingDescriptor RING =
      RingDescriptor.of(new RemoteMemory(0xFEDC_BA98_7654_3000L, 0x89ABCDEF, 64 * 512));

  /** As a device delivers private data: the whole field, zeros at the end. */
  private static Buffer padded(Buffer data, int field) {
    return data.copy().appendBytes(new byte[field - data.length()]);
  }

  @Test
  void aHelloWithTheLongestNicknameFitsIntoARequest() {
    Hello hello = new Hello("ü".repeat(Handshake.MAX_NICK / 2), RING);

    assertThat(hello.encode().length()).isLessThanOrEqualTo(56);
    assertThat(Hello.decode(padded(hello.encode(), 56))).isEqualTo(hello);
  }

  @Test
  void aWelcomeWithTheLongestRoomFitsIntoAReply() {
    Welcome welcome = new Welcome("r".repeat(Handshake.MAX_ROOM), RING);

    assertThat(welcome.encode().length()).isLessThanOrEqualTo(196);
    assertThat(Welcome.decode(padded(welcome.encode(), 196))).isEqualTo(welcome);
  }

  @Test
  void aRefusalIsCutToFitIntoAReject() {
    Buffer data = new Refusal("ß".repeat(500)).encode();

    assertThat(data.length()).isLessThanOrEqualTo(148);
    assertThat(Refusal.decode(padded(data, 148)).reason()).matches("ß{60}");
  }

  @Test
  void strangersAreToldSo() {
    assertThatThrownBy(() -> Hello.decode(Buffer.buffer(new byte[56])))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("this is a chat hub");
    assertThatThrownBy(() -> Welcome.decode(Buffer.buffer()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("no chat hub");
  }

  @Test
  void anotherVersionIsNamed() {
    Buffer data = padded(new Hello("anna", RING).encode(), 56).setByte(4, (byte) 9);

    assertThatThrownBy(() -> Hello.decode(data))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("version 1 here and 9 there");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 20, 21, 22, 25})
  void aHelloThatIsCutOffIsRefused(int length) {
    Buffer data = new Hello("anna", RING).encode().slice(0, length);

    assertThatThrownBy(() -> Hello.decode(data)).isInstanceOf(ProtocolException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "a:b", "tab\t", "\u001B[2J"})
  void nicknamesThatWouldConfuseReadersAreRefused(String nick) {
    assertThatThrownBy(() -> Hello.decode(new Hello(nick, RING).encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("a nickname has letters");
  }

  @Test
  void aNicknameIsMeasuredInBytes() {
    assertThat(Handshake.objectionTo("nickname", "ü".repeat(12), Handshake.MAX_NICK)).isNull();
    assertThat(Handshake.objectionTo("nickname", "ü".repeat(13), Handshake.MAX_NICK))
        .isEqualTo("a nickname has at most 24 bytes, this has 26");
  }
}
