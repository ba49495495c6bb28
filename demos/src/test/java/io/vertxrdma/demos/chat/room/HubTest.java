package io.vertxrdma.demos.chat.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HubTest {

  private final List<String> screen = new ArrayList<>();
  private final Hub hub =
      new Hub("lobby", 3, Clock.fixed(Instant.ofEpochMilli(1_000), ZoneOffset.UTC), screen::add);

  private Listener join(String nick) {
    return join(nick, "");
  }

  private Listener join(String nick, String room) {
    assertThat(hub.reserve(nick)).isTrue();
    Listener seat = new Listener(nick);
    hub.enter(seat, hub.room(room));
    return seat;
  }

  @Test
  void whoComesInIsWelcomedAndAnnounced() {
    Listener anna = join("anna");
    Listener bert = join("bert");

    assertThat(anna.heard)
        .containsExactly("-> lobby", "* welcome to lobby; here: anna", "* bert joined");
    assertThat(bert.heard).containsExactly("-> lobby", "* welcome to lobby; here: anna, bert");
    assertThat(screen).containsExactly("* anna joined, 1 here", "* bert joined, 2 here");
  }

  @Test
  void whatIsSaidReachesAllOthersUnderTheNameOfTheSeat() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    Listener carl = join("carl");
    List.of(anna, bert, carl).forEach(seat -> seat.heard.clear());

    hub.say(anna, "it was me");

    assertThat(anna.heard).isEmpty();
    assertThat(bert.heard).containsExactly("anna: it was me");
    assertThat(carl.heard).containsExactly("anna: it was me");
  }

  @Test
  void whoAsksGetsTheNames() {
    Listener anna = join("anna");
    join("bert");
    anna.heard.clear();

    hub.who(anna);

    assertThat(anna.heard).containsExactly("* here: anna, bert");
  }

  @Test
  void leavingIsAnnouncedOnce() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    anna.heard.clear();

    hub.leave(bert, null);
    hub.leave(bert, null);

    assertThat(anna.heard).containsExactly("* bert left");
  }

  @Test
  void aNicknameBelongsToOneMemberHoweverItIsWritten() {
    Listener anna = join("Anna");

    assertThat(hub.reserve("anna")).isFalse();
    hub.leave(anna, null);
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
  void aMemberThatWasLostIsAnnouncedWithTheReason() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    anna.heard.clear();

    hub.leave(bert, "transport retry counter exceeded");

    assertThat(anna.heard).containsExactly("* bert is gone: transport retry counter exceeded");
  }

  @Test
  void roomsDoNotHearEachOther() {
    Listener anna = join("anna");
    Listener bert = join("bert", "garden");
    Listener carl = join("carl", "Garden");
    List.of(anna, bert, carl).forEach(seat -> seat.heard.clear());

    hub.say(bert, "roses");
    hub.rooms(anna);

    assertThat(carl.heard).containsExactly("bert: roses");
    assertThat(anna.heard).containsExactly("* rooms: lobby (1), garden (2)");
    assertThat(screen).endsWith("[garden] * carl joined, 2 here", "[garden] bert: roses");
  }

  @Test
  void whoGoesToAnotherRoomIsAnnouncedInBoth() {
    Listener anna = join("anna");
    Listener bert = join("bert");
    Listener carl = join("carl", "garden");
    List.of(anna, bert, carl).forEach(seat -> seat.heard.clear());

    hub.enter(bert, hub.room("garden"));

    assertThat(anna.heard).containsExactly("* bert went to garden");
    assertThat(carl.heard).containsExactly("* bert joined");
    assertThat(bert.heard).containsExactly("-> garden", "* welcome to garden; here: carl, bert");
    assertThat(anna.presenceChanges).isEqualTo(4);
  }

  @Test
  void aRoomKeepsItsLastLinesWithNumbersAndTime() {
    Listener anna = join("anna");

    for (int i = 1; i <= 5; i++) {
      hub.say(anna, "line " + i);
    }

    assertThat(hub.firstRoom().history())
        .containsExactly(
            new Line(3, 1_000, "anna", "line 3"),
            new Line(4, 1_000, "anna", "line 4"),
            new Line(5, 1_000, "anna", "line 5"));
    assertThat(hub.firstRoom().next()).isEqualTo(6);
  }

  @Test
  void aCopyOfTheHistoryGetsWhatThereIsAndThenEachLineUntilItTakesNoMore() {
    Listener anna = join("anna");
    hub.say(anna, "before");
    List<String> copied = new ArrayList<>();

    hub.firstRoom()
        .copyTo(
            line -> {
              copied.add(line.text());
              return copied.size() < 3;
            });
    for (int i = 1; i <= 5; i++) {
      hub.say(anna, "line " + i);
    }

    assertThat(copied).containsExactly("before", "line 1", "line 2");
  }

  @Test
  void thereAreOnlySoManyRooms() {
    for (int i = 1; i < Hub.MAX_ROOMS; i++) {
      hub.room("room-" + i);
    }

    assertThatThrownBy(() -> hub.room("another"))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("there are 64 rooms, and no more may be made");
    assertThat(hub.room("room-7").name()).isEqualTo("room-7");
    assertThatThrownBy(() -> hub.room("two words")).isInstanceOf(ProtocolException.class);
  }

  @Test
  void whoIsInNoRoomIsToldSo() {
    Listener anna = new Listener("anna");

    hub.say(anna, "hello?");
    hub.who(anna);

    assertThat(anna.heard).containsExactly("* you are in no room yet", "* you are in no room yet");
  }
}
