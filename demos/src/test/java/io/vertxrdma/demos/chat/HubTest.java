package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HubTest {

  private final List<String> screen = new ArrayList<>();
  private final Hub hub = new Hub("lobby", screen::add);

  /** A seat that keeps what it hears. */
  private static final class Listener implements Hub.Seat {

    private final String nick;
    private final List<String> heard = new ArrayList<>();

    Listener(String nick) {
      this.nick = nick;
    }

    @Override
    public String nick() {
      return nick;
    }

    @Override
    public void send(ChatMessage message) {
      heard.add(message.line());
    }
  }

  private Listener join(String nick) {
    assertThat(hub.reserve(nick)).isTrue();
    Listener seat = new Listener(nick);
    hub.join(seat);
    return seat;
  }

  @Test
  void whoComesInIsWelcomedAndAnnounced() {
    Listener anna = join("anna");
    Listener bert = join("bert");

    assertThat(anna.heard).containsExactly("* welcome to lobby; here: anna", "* bert joined");
    assertThat(bert.heard).containsExactly("* welcome to lobby; here: anna, bert");
    assertThat(screen).containsExactly("* anna joined, 1 here", "* bert joined, 2 here");
  }

  @Test
  void whatIsSaidReachesAllOthersUnderTheNameOfTheSeat() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    Listener carl = join("carl");
    List.of(anna, bert, carl).forEach(seat -> seat.heard.clear());

    hub.received(anna, ChatMessage.say("bert", "it was me"));

    assertThat(anna.heard).isEmpty();
    assertThat(bert.heard).containsExactly("anna: it was me");
    assertThat(carl.heard).containsExactly("anna: it was me");
  }

  @Test
  void whoAsksGetsTheNames() {
    Listener anna = join("anna");
    join("bert");
    anna.heard.clear();

    hub.received(anna, ChatMessage.who());

    assertThat(anna.heard).containsExactly("* here: anna, bert");
  }

  @Test
  void leavingIsAnnouncedOnce() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    anna.heard.clear();

    hub.leave(bert);
    hub.leave(bert);

    assertThat(anna.heard).containsExactly("* bert left");
  }

  @Test
  void aNicknameBelongsToOneMemberHoweverItIsWritten() {
    Listener anna = join("Anna");

    assertThat(hub.reserve("anna")).isFalse();
    hub.leave(anna);
    assertThat(hub.reserve("anna")).isTrue();
  }

  @Test
  void aNicknameOfSomebodyWhoDidNotComeInIsFree() {
    assertThat(hub.reserve("anna")).isTrue();
    assertThat(hub.reserve("anna")).isFalse();
    hub.release("anna");
    assertThat(hub.reserve("anna")).isTrue();
  }

  @Test
  void membersDoNotSendNotices() {
    Listener anna = join("anna");

    assertThatThrownBy(() -> hub.received(anna, ChatMessage.notice("the hub closes")))
        .isInstanceOf(ProtocolException.class);
  }
}
