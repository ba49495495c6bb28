package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.demos.chat.room.Neighbour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page's WebSocket and headers, as a browser meets them. */
@Timeout(60)
class WebPageTest {

  private final ChatHub hub = new ChatHub();
  private final WebSocketClient sockets = hub.vertx().createWebSocketClient();
  private final HttpClient client = hub.vertx().createHttpClient();

  @AfterEach
  void nothingIsLeft() throws Exception {
    hub.close();
  }

  /** What a browser is to the hub. */
  private final class HubSocket {

    private final BlockingQueue<JsonObject> heard = new LinkedBlockingQueue<>();
    private final WebSocket socket;

    HubSocket() {
      socket = connect("http://127.0.0.1:" + hub.webPort()).await();
      socket.textMessageHandler(text -> heard.add(new JsonObject(text)));
      socket.resume();
    }

    HubSocket hello(String nick, String room) {
      return send(new JsonObject().put("t", "hello").put("nick", nick).put("room", room));
    }

    HubSocket say(String text) {
      return send(new JsonObject().put("t", "say").put("text", text));
    }

    HubSocket send(JsonObject message) {
      socket.writeTextMessage(message.encode()).await();
      return this;
    }

    /** The next message of that type; others are passed over. */
    JsonObject next(String type) throws InterruptedException {
      JsonObject message;
      do {
        message = heard.poll(20, TimeUnit.SECONDS);
        assertThat(message).as("a message of type " + type).isNotNull();
      } while (!type.equals(message.getString("t")));
      return message;
    }
  }

  private Future<WebSocket> connect(String origin) {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(hub.webPort())
            .setURI("/chat")
            .setAllowOriginHeader(origin != null);
    if (origin != null) {
      options.addHeader("Origin", origin);
    }
    // On the event loop, so that it pauses before anything comes.
    return Future.future(
        connected ->
            hub.vertx()
                .runOnContext(
                    turn ->
                        sockets
                            .connect(options)
                            .onSuccess(WebSocket::pause)
                            .onComplete(connected)));
  }

  private HttpClientResponse get(String path, String host) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost("127.0.0.1")
            .setPort(hub.webPort())
            .setURI(path)
            .putHeader("Host", host);
    return client
        .request(request)
        // All in one turn: a response that comes before somebody waits for its body is lost.
        .compose(made -> made.send().compose(response -> response.body().map(read -> response)))
        .await();
  }

  @Test
  void browsersAndMembersOverRdmaHearEachOther() throws Exception {
    ScriptedMember anna = hub.join("anna").sees("* welcome to lobby; here: anna");
    HubSocket grace = new HubSocket().hello("grace", "");
    assertThat(grace.next("entered").getString("room")).isEqualTo("lobby");
    anna.sees("* grace joined");

    grace.say("<b>from the browser</b>");
    anna.sees("grace: <b>from the browser</b>").types("from afar");

    JsonObject own = grace.next("line");
    assertThat(own.getString("nick")).isEqualTo("grace");
    JsonObject line = grace.next("line");
    assertThat(line.getString("nick") + ": " + line.getString("text")).isEqualTo("anna: from afar");
    assertThat(line.getLong("n")).isEqualTo(own.getLong("n") + 1);
    grace.socket.close().await();
    anna.sees("* grace left").close();
    assertThat(anna.exitCode()).isZero();
  }

  @Test
  void aBrowserGetsHistoryAndPresenceOfTheRoomItEnters() throws Exception {
    ScriptedMember anna = hub.join("anna", "--room", "garden");
    anna.sees("* welcome to garden; here: anna").types("roses", "tulips", "/who");
    anna.sees("* here: anna");

    HubSocket grace = new HubSocket().hello("grace", "garden");

    JsonArray lines = grace.next("entered").getJsonArray("lines");
    assertThat(lines)
        .extracting(line -> ((JsonObject) line).getString("text"))
        .containsExactly("roses", "tulips");
    JsonObject presence = grace.next("presence");
    assertThat(presence.getJsonArray("members")).containsExactly("anna", "grace");
    assertThat(presence.getJsonArray("rooms"))
        .contains(new JsonObject().put("name", "garden").put("count", 2));
    grace.send(new JsonObject().put("t", "join").put("room", "lobby"));
    assertThat(grace.next("entered").getJsonArray("lines")).isEmpty();
    anna.sees("* grace joined", "* grace went to lobby").close();
    anna.exitCode();
  }

  @Test
  void theFabricShowsEachConnectionWithItsParametersAndEventsAsTheyCome() throws Exception {
    HubSocket grace = new HubSocket().hello("grace", "");
    grace.next("entered");

    ScriptedMember anna = hub.join("anna");

    List<String> types = new ArrayList<>();
    while (!types.contains("ESTABLISHED")) {
      types.add(grace.next("cm").getJsonObject("event").getString("type"));
    }
    assertThat(types).startsWith("CONNECT_REQUEST");
    JsonObject fabric;
    do {
      fabric = grace.next("fabric");
    } while (fabric.getJsonArray("connections").isEmpty());
    JsonObject connection = fabric.getJsonArray("connections").getJsonObject(0);
    assertThat(connection.getString("nick")).isEqualTo("anna");
    assertThat(connection.getInteger("receives")).isPositive();
    assertThat(connection.getInteger("ring")).isEqualTo(ChatRing.SLOTS);
    assertThat(connection.getJsonObject("parameters").fieldNames())
        .contains("Responder resources", "Initiator depth", "RNR retry count", "Path MTU");
    anna.sees("* welcome to lobby; here: grace, anna").close();
    anna.exitCode();
  }

  @Test
  void aNicknameThatIsTakenOrNoneIsRefusedInWordsAndAnotherMayBeTried() throws Exception {
    ScriptedMember anna = hub.join("anna").sees("* welcome to lobby; here: anna");
    HubSocket browser = new HubSocket();

    browser.hello("ANNA", "");
    assertThat(browser.next("refused").getString("reason")).isEqualTo("the nickname ANNA is taken");
    browser.hello("two words", "");
    assertThat(browser.next("refused").getString("reason")).startsWith("a nickname has letters");
    browser.hello("grace", "");

    assertThat(browser.next("entered").getString("nick")).isEqualTo("grace");
    anna.close();
    anna.exitCode();
  }

  @Test
  void aBrowserThatDoesNotReadMissesLinesAndTheSumIsRight() throws Exception {
    Neighbour zoe =
        hub.onLoop(
            () -> {
              Neighbour made = new Neighbour(hub.hub(), "another hub");
              made.entered("zoe", "lobby");
              return Future.succeededFuture(made);
            });
    HubSocket slow = new HubSocket().hello("slow", "");
    slow.next("entered");
    slow.next("presence");
    slow.socket.pause();
    int lines = 30_000;
    String text = "x".repeat(400);

    for (int portion = 0; portion < lines; portion += 1_000) {
      hub.onLoop(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              zoe.said("zoe", text);
            }
            return Future.succeededFuture();
          });
    }
    slow.heard.clear();
    slow.socket.resume();
    hub.onLoop(
        () -> {
          zoe.said("zoe", "the last one");
          return Future.succeededFuture();
        });

    long heard = 0;
    long skipped = 0;
    while (heard + skipped < lines + 1) {
      JsonObject message = slow.heard.poll(20, TimeUnit.SECONDS);
      assertThat(message).as("%d heard, %d skipped", heard, skipped).isNotNull();
      heard += message.getString("t").equals("line") ? 1 : 0;
      skipped += message.getString("t").equals("gap") ? message.getLong("lines") : 0;
    }
    assertThat(heard + skipped).isEqualTo(lines + 1);
    assertThat(skipped).isPositive();
    // What waits for it is bounded by the hub's queue and those of the two sockets.
    assertThat(heard).isLessThan(lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"not JSON", "[]", "{\"t\":7}", "{\"t\":\"say\",\"text\":\"hello\"}"})
  void whatIsNotSpokenHereEndsTheSocket(String text) throws Exception {
    HubSocket browser = new HubSocket();
    browser.next("ready");
    Future<Void> closed = Future.future(end -> browser.socket.closeHandler(end::complete));

    browser.socket.writeTextMessage(text);

    closed.await(20, TimeUnit.SECONDS);
    assertThat(browser.socket.closeStatusCode()).isEqualTo((short) 1008);
  }

  @Test
  void pagesOfOtherOriginsAreNotLetIn() {
    for (String origin :
        new String[] {
          null,
          "null",
          "http://evil.example",
          "http://127.0.0.1",
          "https://127.0.0.1:" + hub.webPort(),
          "http://localhost:" + hub.webPort()
        }) {
      assertThatThrownBy(() -> connect(origin).await())
          .as("origin %s", origin)
          .isInstanceOfSatisfying(
              UpgradeRejectedException.class,
              refused -> assertThat(refused.getStatus()).isEqualTo(403));
    }
  }

  @Test
  void anotherHostNameIsNotServed() {
    assertThat(get("/", "evil.example:" + hub.webPort()).statusCode()).isEqualTo(421);
    assertThat(get("/", "localhost:" + hub.webPort()).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html",
    "/main.js, javascript",
    "/chat.css, text/css",
    "/vendor/uPlot.esm.js, javascript",
    "/vendor/uPlot.min.css, text/css",
    "/icon.svg, image/svg"
  })
  void allThatThePageNeedsIsServedHereWithAPolicyThatAllowsNothingElse(String path, String type) {
    HttpClientResponse response = get(path, "127.0.0.1:" + hub.webPort());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.getHeader("Content-Type")).contains(type);
    assertThat(response.getHeader("Content-Security-Policy"))
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe");
    assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/../WebPage.class", "/%2e%2e/WebPage.class", "/vendor/", "/nothing"})
  void nothingElseIsServed(String path) {
    assertThat(get(path, "127.0.0.1:" + hub.webPort()).statusCode()).isIn(400, 403, 404);
  }
}
