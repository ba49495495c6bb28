package io.vertxrdma.demos.chat.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

  @Test
  void aShortTextStaysWhole() {
    assertThat(Utf8.split("hello", 5)).containsExactly("hello");
    assertThat(Utf8.split("", 5)).containsExactly("");
  }

  @Test
  void aLongTextIsCutWhereItIsFull() {
    assertThat(Utf8.split("abcdefghij", 4)).containsExactly("abcd", "efgh", "ij");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 7, 8, 11})
  void noCharacterIsTornApart(int bytes) {
    String text = "aé€\uD83D\uDC4Bzß\uD83D\uDC4B\uD83D\uDC4B€€xy";

    List<String> parts = Utf8.split(text, bytes);

    assertThat(String.join("", parts)).isEqualTo(text);
    assertThat(parts).allMatch(part -> Utf8.length(part) <= bytes && !part.isEmpty());
    assertThat(parts).noneMatch(part -> Character.isLowSurrogate(part.charAt(0)));
  }

  @Test
  void halfACharacterTakesTheRoomOfTheQuestionMarkItBecomes() {
    assertThat(Utf8.split("abc\uD83D", 4)).containsExactly("abc\uD83D");
  }

  @Test
  void roomForNoCharacterIsRefused() {
    assertThatThrownBy(() -> Utf8.split("x", 3)).isInstanceOf(IllegalArgumentException.class);
  }
}
