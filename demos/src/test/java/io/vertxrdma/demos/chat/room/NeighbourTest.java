package io.vertxrdma.demos.chat.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeighbourTest {

  private final List<String> told = new ArrayList<>();
  private final Hub hub = new Hub("lobby", 100, Clock.systemUTC(), line -> {});
  private final Neighbour other = new Neighbour(hub, "the other hub");
  private final Listener anna = new Listener("anna");
  private final List<String> heard = anna.heard;

  NeighbourTest() {
    hub.reserve("anna");
    hub.enter(anna, hub.firstRoom());
    heard.clear();
    hub.setElsewhere(
        new Elsewhere() {
          @Override
          public void said(String nick, String text) {
            told.add(nick + ": " + text);
          }

          @Override
          public void entered(String nick, Room room) {
            told.add(nick + " -> " + room.name());
          }

          @Override
          public void left(String nick, String lost) {
            told.add(nick + " left, " + lost);
          }
        });
  }

  @Test
  void membersOfAnotherHubAreSeenAndHeardAndNotToldOfAgain() {
    other.entered("zoe", "lobby");
    other.said("zoe", "hello from afar");
    other.said("zoe", "x".repeat(ChatMessage.MAX_TEXT + 1));
    hub.who(anna);
    other.left("zoe", null);

    assertThat(heard)
        .containsExactly(
            "* zoe joined",
            "zoe: hello from afar",
            "zoe: " + "x".repeat(ChatMessage.MAX_TEXT),
            "zoe: x",
            "* here: anna, zoe",
            "* zoe left");
    assertThat(told).isEmpty();
    assertThat(hub.firstRoom().history()).extracting(Line::nick).containsOnly("zoe").hasSize(3);
  }

  @Test
  void whatMembersOfThisHubDoIsTold() {
    hub.say(anna, "hello");
    hub.enter(anna, hub.room("garden"));
    hub.leave(anna, "struck by lightning");

    assertThat(told)
        .containsExactly("anna: hello", "anna -> garden", "anna left, struck by lightning");
  }

  @Test
  void onlyMembersOfThisHubAreHere() {
    other.entered("zoe", "lobby");
    List<String> here = new ArrayList<>();

    hub.here((nick, room) -> here.add(nick + " in " + room.name()));

    assertThat(here).containsExactly("anna in lobby");
  }

  @Test
  void aNicknameIsTakenAsLongAsAMemberOfAnotherHubHasIt() {
    other.entered("zoe", "lobby");
    assertThat(hub.reserve("Zoe")).isFalse();

    other.left("zoe", null);

    assertThat(hub.reserve("Zoe")).isTrue();
  }

  @Test
  void whoCameAtTheSameTimeUnderTheSameNameGetsANumberHere() {
    other.entered("anna", "lobby");
    new Neighbour(hub, "a third hub").entered("anna", "lobby");
    other.said("anna", "I am she");

    assertThat(hub.firstRoom().members()).containsExactly("anna", "anna~2", "anna~3");
    assertThat(heard).contains("anna~2: I am she");
  }

  @Test
  void aNumberFitsIntoTheLongestName() {
    String longest = "n".repeat(Names.MAX_NICK);
    hub.reserve(longest);

    other.entered(longest, "lobby");

    assertThat(hub.firstRoom().members())
        .containsExactly("anna", "n".repeat(Names.MAX_NICK - 2) + "~2");
  }

  @Test
  void whenAHubIsLostAllItsMembersAre() {
    other.entered("zoe", "lobby");
    other.entered("yan", "garden");
    assertThat(other.members()).isEqualTo(2);
    heard.clear();

    other.lost("the other hub is gone");

    assertThat(heard).containsExactly("* zoe is gone: the other hub is gone");
    assertThat(hub.room("garden").members()).isEmpty();
    assertThat(other.members()).isZero();
    assertThat(hub.reserve("yan")).isTrue();
  }

  @Test
  void whoGoesToARoomThatDoesNotFitInHereIsNotSeenUntilBack() {
    other.entered("zoe", "lobby");
    for (int i = 1; i < Hub.MAX_ROOMS; i++) {
      hub.room("room-" + i);
    }
    heard.clear();

    other.entered("zoe", "one-too-many");
    other.said("zoe", "nobody hears me there");
    other.entered("zoe", "lobby");

    assertThat(heard).containsExactly("* zoe went elsewhere", "* zoe joined");
  }

  @Test
  void namesThatNobodyCouldHaveAreRefused() {
    assertThatThrownBy(() -> other.entered("two words", "lobby"))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("a nickname has letters");
  }

  @Test
  void aRoomTakesOverWhatWasSaidElsewhereOnlyBeforeAnythingWasSaidHere() {
    List<Line> lines = List.of(new Line(7, 1_000, "zoe", "one"), new Line(9, 2_000, "yan", "two"));

    assertThat(hub.firstRoom().takeOver(lines)).isTrue();
    assertThat(hub.firstRoom().takeOver(lines)).isFalse();

    assertThat(hub.firstRoom().history())
        .containsExactly(new Line(1, 1_000, "zoe", "one"), new Line(2, 2_000, "yan", "two"));
  }

  @Test
  void oneHubMayTellOfManyMembersAndNotOfAnyNumber() {
    for (int i = 1; i < Hub.MAX_ROOMS; i++) {
      hub.room("room-" + i);
    }
    // Where this hub has no place for the room: nobody needs to be told of each.
    for (int i = 0; i < Neighbour.MAX_MEMBERS; i++) {
      other.entered("m" + i, "one-too-many");
    }

    other.entered("m7", "one-too-many");
    assertThatThrownBy(() -> other.entered("another", "one-too-many"))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("more than 10000 members of one hub");
    assertThat(other.members()).isEqualTo(10_000);
  }
}
