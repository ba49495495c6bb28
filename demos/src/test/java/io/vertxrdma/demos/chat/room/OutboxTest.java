package io.vertxrdma.demos.chat.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private final List<String> sent = new ArrayList<>();
  private int slots;
  private final Outbox<ChatMessage> outbox =
      new Outbox<>(
          message -> {
            if (slots == 0) {
              return false;
            }
            slots--;
            sent.add(message.line());
            return true;
          },
          4,
          ChatMessage::gap);

  private void say(int from, int to) {
    for (int i = from; i <= to; i++) {
      outbox.send(ChatMessage.say("a", String.valueOf(i)));
    }
  }

  @Test
  void whatCanGoGoesAtOnce() {
    slots = 2;

    say(1, 2);

    assertThat(sent).containsExactly("a: 1", "a: 2");
    assertThat(outbox.waiting()).isZero();
  }

  @Test
  void whatCannotGoWaitsInOrder() {
    say(1, 3);
    slots = 2;
    outbox.flush();
    slots = 2;
    say(4, 4);

    assertThat(sent).containsExactly("a: 1", "a: 2", "a: 3", "a: 4");
  }

  @Test
  void aMemberThatDoesNotKeepUpIsToldHowManyLinesItMissed() {
    say(1, 9);
    assertThat(outbox.waiting()).isEqualTo(4);

    slots = 10;
    outbox.flush();
    say(10, 10);

    assertThat(sent)
        .containsExactly("a: 1", "a: 2", "a: 3", "a: 4", "* ... 5 lines skipped", "a: 10");
    assertThat(outbox.missed()).isEqualTo(5);
  }

  @Test
  void theNoticeStandsWhereTheLinesWouldHave() {
    say(1, 5);
    slots = 2;
    outbox.flush();

    say(6, 6);
    slots = 10;
    outbox.flush();

    assertThat(sent)
        .containsExactly("a: 1", "a: 2", "a: 3", "a: 4", "* ... 1 line skipped", "a: 6");
  }

  @Test
  void whateverHappensNoMoreThanTheLimitWaits() {
    for (int round = 0; round < 20; round++) {
      say(1, 7);
      assertThat(outbox.waiting()).isLessThanOrEqualTo(4);
      slots = round % 3;
      outbox.flush();
    }
  }
}
