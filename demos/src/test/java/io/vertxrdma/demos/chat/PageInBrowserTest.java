package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.demos.chat.room.Seat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The page in two real browsers. */
@Tag("browser")
@Timeout(120)
class PageInBrowserTest {

  private static TestBrowser first;
  private static TestBrowser second;

  private ChatHub hub;

  @BeforeAll
  static void startBrowsers() {
    first = new TestBrowser();
    second = new TestBrowser();
  }

  @AfterAll
  static void stopBrowsers() throws IOException {
    first.close();
    second.close();
  }

  @BeforeEach
  void openTheHub() {
    hub = new ChatHub();
    first.open(hub.webPort());
  }

  @AfterEach
  void nothingWentWrong() throws TimeoutException {
    List<String> errors = first.errors();
    first.leave();
    second.leave();
    hub.close();
    assertThat(errors).isEmpty();
  }

  @Test
  void twoBrowsersAndAMemberOverRdmaTalkToEachOther() throws Exception {
    ScriptedMember anna = hub.join("anna").sees("* welcome to lobby; here: anna");
    anna.types("said before", "/who").sees("* here: anna");
    first.join("grace", "").sees("#log", "said before");
    second.open(hub.webPort()).join("bert", "").sees("#members", "grace");
    anna.sees("* grace joined", "* bert joined");

    first.say("<img src=x onerror=document.title='broken'> & <b>bold</b>");
    second.sees("#log", "<img src=x onerror=document.title='broken'> & <b>bold</b>").say("hello");
    anna.sees("grace: <img src=x onerror=document.title='broken'> & <b>bold</b>", "bert: hello")
        .types("over RDMA");

    first.sees("#log", "bert\nhello").sees("#log", "anna\nover RDMA");
    second.sees("#log", "over RDMA");
    assertThat(first.driver().findElements(By.cssSelector("#log img, #log b b"))).isEmpty();
    assertThat(second.driver().getTitle()).isEqualTo("vertx-rdma chat");
    first.sees("#connections", "anna").sees("#events", "ESTABLISHED");
    first.find("#connections button").click();
    first.sees("#connections .more", "Responder resources");
    assertThat(first.driver().findElements(By.cssSelector("#rate-plot canvas"))).hasSize(1);
    anna.close();
    first.sees("#log", "anna left").sees("#no-connections", "Nobody is connected");
    assertThat(anna.exitCode()).isZero();
  }

  @Test
  void theKeyboardIsEnough() {
    first.keys("two words", Keys.ENTER).sees("#join-error", "a nickname has letters");
    first.chord(Keys.CONTROL, "a").keys("grace", Keys.TAB, "garden", Keys.ENTER);
    first.sees("#room-title", "garden").sees("#members", "grace (you)");
    assertThat(first.focused()).isEqualTo("text");

    first.keys("roses", Keys.ENTER).sees("#log", "roses");
    first.keys(Keys.ARROW_UP, " again", Keys.ENTER).sees("#log", "roses again");
    first.chord(Keys.ALT, "2");
    assertThat(first.focused()).isEqualTo("people");
    first.keys(Keys.TAB, Keys.ENTER).sees("#room-title", "lobby");
    assertThat(first.focused()).isEqualTo("text");
    first.chord(Keys.ALT, "3");
    assertThat(first.focused()).isEqualTo("fabric");
  }

  @Test
  void theThemeIsThatOfTheSystemUntilOneIsChosenAndANarrowPageHasNoOverflow() {
    system("dark");
    String dark = background();
    system("light");
    String light = background();
    assertThat(dark).isNotEqualTo(light);

    first.find("#theme").sendKeys(Keys.SPACE);

    assertThat(background()).isEqualTo(dark);
    first.open(hub.webPort());
    assertThat(background()).as("kept").isEqualTo(dark);
    assertThat(first.find("#theme").getDomAttribute("aria-pressed")).isEqualTo("true");

    first
        .driver()
        .executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", 400, "height", 800, "deviceScaleFactor", 1, "mobile", true));
    first.join("grace", "");
    for (String panel : List.of("chat", "people", "fabric")) {
      first.find("[data-show=" + panel + "]").click();
      assertThat(first.find("#" + panel).isDisplayed()).as(panel).isTrue();
      assertThat(first.driver().findElements(By.cssSelector("main > .panel")))
          .filteredOn(shown -> shown.isDisplayed())
          .hasSize(1);
      assertThat(first.driver().executeScript("return document.documentElement.scrollWidth"))
          .isEqualTo(400L);
    }
    first.driver().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  private static void system(String scheme) {
    first
        .driver()
        .executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  private static String background() {
    return first.find("body").getCssValue("background-color");
  }

  @Test
  void tenThousandLinesOfFiftyMembersLeaveThePageAnswering() {
    int members = 50;
    int linesOfEach = 200;
    List<Seat> seats = new ArrayList<>();
    hub.onLoop(
        () -> {
          for (int i = 0; i < members; i++) {
            Seat seat = new Deaf("member-" + i);
            hub.hub().reserve(seat.nick());
            hub.hub().enter(seat, hub.hub().room("load"));
            seats.add(seat);
          }
          return Future.succeededFuture();
        });
    first.join("grace", "load").sees("#member-count", "51");

    for (int round = 0; round < linesOfEach; round++) {
      String text = "line " + round + " of the many that come at once, none of them short";
      hub.onLoop(
          () -> {
            seats.forEach(seat -> hub.hub().say(seat, text));
            return Future.succeededFuture();
          });
    }
    first.say("and mine");

    long all = (long) members * linesOfEach + 1;
    first.sees("#log > :last-child", "and mine");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(count("lines") + count("skipped")).isEqualTo(all));
    assertThat(first.driver().findElements(By.cssSelector("#log > div"))).hasSizeLessThan(500);
    assertThat(first.driver().findElements(By.cssSelector("#members li"))).hasSize(members + 1);
  }

  private static long count(String what) {
    return Long.parseLong(first.find("#log").getDomAttribute("data-" + what));
  }

  /** A member who says much and hears nothing. */
  private record Deaf(String nick) implements Seat {

    @Override
    public void entered(Room room) {}

    @Override
    public void line(Line line) {}

    @Override
    public void notice(String text) {}
  }
}
