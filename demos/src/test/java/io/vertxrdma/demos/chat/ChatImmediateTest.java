package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.demos.chat.ChatImmediate.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChatImmediateTest {

  @Test
  void theTypeIsTheHighByteAndTheValueTheRest() {
    assertThat(ChatImmediate.encode(Type.LINE, 0x123456)).isEqualTo(0x01123456L);
    assertThat(ChatImmediate.encode(Type.CREDIT, 16)).isEqualTo(0x02000010L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0x7FFFFF, 0x800000, 0xFFFFFF})
  void whatIsEncodedIsDecoded(int value) {
    for (Type type : Type.values()) {
      int immediate = (int) ChatImmediate.encode(type, value);
      assertThat(ChatImmediate.type(immediate)).isEqualTo(type);
      assertThat(ChatImmediate.value(immediate)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0x1000000, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void valuesThatDoNotFitAreRefused(int value) {
    assertThatThrownBy(() -> ChatImmediate.encode(Type.LINE, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0..16777215")
        .hasMessageContaining(String.valueOf(value));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x03000000, 0xFF000001})
  void unknownTypesAreAViolation(int immediate) {
    assertThatThrownBy(() -> ChatImmediate.type(immediate)).isInstanceOf(ProtocolException.class);
  }
}
