package io.vertxrdma.demos.chat.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ChatMessageTest {

  @Test
  void whatIsEncodedIsDecoded() {
    ChatMessage said = ChatMessage.say("jürgen", "grüße \uD83D\uDC4B");

    assertThat(ChatMessage.decode(said.encode())).isEqualTo(said);
    assertThat(ChatMessage.decode(ChatMessage.join("garden").encode()))
        .isEqualTo(ChatMessage.join("garden"));
  }

  @Test
  void aLineShowsWhoSaidIt() {
    assertThat(ChatMessage.say("anna", "hello").line()).isEqualTo("anna: hello");
    assertThat(ChatMessage.notice("bert joined").line()).isEqualTo("* bert joined");
  }

  @Test
  void nobodyCanMoveAReadersCursorOrFakeASecondLine() {
    ChatMessage said = ChatMessage.say("a\nb", "x\u001B[2Jy\nanna: no\u2028z\u202Ew");

    assertThat(said.line()).isEqualTo("a b: x [2Jy anna: no z w");
  }

  @Test
  void aTextThatFillsItsRoomMakesAMessageThatFillsItsSlot() {
    ChatMessage empty = ChatMessage.say("jürgen", "");

    ChatMessage full = empty.withText("x".repeat(empty.roomForText(512)));

    assertThat(full.encode()).hasSize(512);
  }

  @Test
  void bytesThatAreNoMessageAreAViolation() {
    byte[] good = ChatMessage.say("anna", "hello").encode();
    byte[] unknownKind = good.clone();
    unknownKind[0] = 9;

    for (byte[] bad :
        new byte[][] {
          {},
          {0, 0, 0},
          Arrays.copyOf(good, good.length - 1),
          Arrays.copyOf(good, good.length + 1),
          unknownKind
        }) {
      assertThatThrownBy(() -> ChatMessage.decode(bad)).isInstanceOf(ProtocolException.class);
    }
  }
}
