package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.demos.chat.Greeting.Hello;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import java.time.Clock;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hub and members over the fake native layer, whose wire is memory. */
@Timeout(60)
class ChatTest {

  private static final int PORT = 18516;
  private static final int HISTORY = 5;

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> screen = new LinkedBlockingQueue<>();

  private ChatServer server;

  @BeforeEach
  void openTheHub() {
    Hub hub = new Hub("lobby", HISTORY, Clock.systemUTC(), screen::add);
    server =
        new ChatServer(vertx, provider, new RdmaServerOptions(), hub, new Histories(), screen::add);
    server.listen(PORT, "10.0.0.1").await();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }

  private ScriptedMember join(String nick, String... options) {
    return new ScriptedMember(provider, nick, options);
  }

  @Test
  void membersHearEachOther() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert").sees("* welcome to lobby; here: anna, bert");
    anna.sees("* bert joined");

    anna.types("hello bert", "how are you?");
    bert.sees("anna: hello bert", "anna: how are you?");
    bert.types("grüße", "/who").sees("* here: anna, bert");
    bert.types("/nonsense").sees("* there are /who, /rooms, /join ROOM and /quit");
    anna.sees("bert: grüße");

    bert.types("/quit");
    assertThat(bert.exitCode()).isZero();
    anna.sees("* bert left");
    anna.close();
    assertThat(anna.exitCode()).isZero();
    assertThat(anna.errors()).isEmpty();
  }

  // What the hub still sends to one who goes may fail, or not.
  @RepeatedTest(10)
  void whatWasSaidBeforeTheEndOfInputArrives() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert");

    bert.types("one", "two", "three").close();

    anna.sees("* bert joined", "bert: one", "bert: two", "bert: three", "* bert left");
    anna.close();
    assertThat(anna.exitCode()).isZero();
  }

  @Test
  void aLongLineArrivesInParts() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert");
    anna.sees("* bert joined");
    String line = "0123456789".repeat(200);

    bert.types(line).close();

    StringBuilder heard = new StringBuilder();
    for (String part = anna.next(); !part.equals("* bert left"); part = anna.next()) {
      heard.append(part.substring("bert: ".length()));
    }
    assertThat(heard).hasToString(line);
    anna.close();
    anna.exitCode();
  }

  @Test
  void manyMoreLinesThanSlotsArriveInOrder() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert");
    anna.sees("* bert joined");

    // In portions: a member that falls far behind misses lines, which is another test's subject.
    for (int portion = 0; portion < 1_000; portion += 50) {
      for (int i = portion; i < portion + 50; i++) {
        bert.types("line " + i);
      }
      for (int i = portion; i < portion + 50; i++) {
        anna.sees("bert: line " + i);
      }
    }
    anna.close();
    bert.close();
    assertThat(anna.exitCode() + bert.exitCode()).isZero();
  }

  @Test
  void aTakenNicknameIsRefusedInWords() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");

    ScriptedMember second = join("Anna");

    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.errors().lines())
        .containsExactly("vertx-rdma: the hub refused: the nickname Anna is taken");
    anna.close();
    anna.exitCode();
  }

  @Test
  void strangersAreRefusedInWords() {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    RdmaClient.create(vertx, new RdmaClientOptions(), provider)
        .connect(PORT, "10.0.0.1", Buffer.buffer("GET / HTTP/1.1"))
        .onFailure(outcome::complete);

    assertThat(outcome)
        .succeedsWithin(30, TimeUnit.SECONDS)
        .isInstanceOfSatisfying(
            HandshakeRejectedException.class,
            rejected ->
                assertThat(rejected.rejection().text())
                    .startsWith("vertx-rdma chat is spoken here"));
  }

  @Test
  void aMemberThatBreaksTheRulesIsDisconnected() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    RingDescriptor nowhere = new RingDescriptor(new RemoteMemory(0x1000, 1, 64 * 512), 64, 512);
    RdmaConnection rude =
        RdmaClient.create(vertx, new RdmaClientOptions(), provider)
            .connect(PORT, "10.0.0.1", new Hello("rude", nowhere).encode())
            .await();

    // Gives back slots that the hub never wrote.
    rude.writeImmediate(RingFormat.DEFAULT.credit(64));

    rude.closed().await(30, TimeUnit.SECONDS);
    anna.close();
    anna.exitCode();
  }

  @Test
  void aMemberThatDoesNotReadMissesLinesAndOthersDoNot() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert");
    anna.sees("* bert joined");
    LazyMember lazy = new LazyMember(vertx, provider, PORT);
    anna.sees("* lazy joined");
    // In its ring, on the way to it, and waiting for that.
    int portions = (2 * ChatRing.SLOTS + MemberSeat.OUTBOX + 100) / 20;

    // In portions, so that only the lazy one falls far behind.
    for (int portion = 0; portion < portions; portion++) {
      for (int i = 0; i < 20; i++) {
        bert.types("line " + portion + "." + i);
      }
      for (int i = 0; i < 20; i++) {
        anna.sees("bert: line " + portion + "." + i);
      }
    }
    lazy.wakeUp();

    // One slot had the welcome.
    assertThat(lazy.heardUntil("lines skipped")).endsWith("... 98 lines skipped");
    anna.close();
    bert.close();
    assertThat(anna.exitCode() + bert.exitCode()).isZero();
  }

  @Test
  void whoComesLaterReadsTheLastLinesFromTheMemoryOfTheHub() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    for (int i = 1; i <= HISTORY + 2; i++) {
      anna.types("line " + i);
    }
    anna.types("/who").sees("* here: anna");

    ScriptedMember bert = join("bert");

    for (int i = 3; i <= HISTORY + 2; i++) {
      assertThat(bert.next()).matches("\\[\\d\\d:\\d\\d] anna: line " + i);
    }
    bert.sees("* welcome to lobby; here: anna, bert");
    anna.types("and now").sees("* bert joined");
    bert.sees("anna: and now");
    anna.close();
    bert.close();
    assertThat(anna.exitCode() + bert.exitCode()).isZero();
  }

  @Test
  void membersGoFromRoomToRoom() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = join("bert", "--room", "garden").sees("* welcome to garden; here: bert");

    anna.types("not for the garden", "/rooms").sees("* rooms: lobby (1), garden (1)");
    bert.types("roses", "/who").sees("* here: bert");
    anna.types("/join two words")
        .sees("* a room's name has letters, digits, '.', '_' and '-'")
        .types("/join garden");

    assertThat(anna.next()).endsWith("bert: roses");
    anna.sees("* welcome to garden; here: bert, anna");
    bert.sees("* anna joined");
    anna.types("/join");
    assertThat(anna.next()).endsWith("anna: not for the garden");
    anna.sees("* welcome to lobby; here: anna");
    bert.sees("* anna went to lobby");
    bert.close();
    anna.close();
    assertThat(anna.exitCode() + bert.exitCode()).isZero();
  }

  @Test
  void aMemberWhoseConnectionEndsWithoutGoodbyeIsAnnouncedAsGone() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");
    LazyMember lazy = new LazyMember(vertx, provider, PORT);
    anna.sees("* lazy joined");

    lazy.vanish();

    anna.sees("* lazy is gone: disconnected");
    anna.close();
    assertThat(anna.exitCode()).isZero();
  }

  @Test
  void aMemberIsToldThatTheHubHasClosed() throws Exception {
    ScriptedMember anna = join("anna").sees("* welcome to lobby; here: anna");

    server.close().await();

    assertThat(anna.exitCode()).isEqualTo(1);
    assertThat(anna.errors().lines()).containsExactly("vertx-rdma: the hub closed the connection");
  }

  @Test
  void aHubOfAnotherVersionIsNamedToThePerson() throws Exception {
    Handshake later =
        Handshake.builder(Greeting.MAGIC).protocol("vertx-rdma chat").version(9).build();
    RdmaServer.create(vertx, new RdmaServerOptions(), provider)
        .connectRequestHandler(request -> request.reject(later.reason(request.privateData())))
        .listen(PORT + 1, "10.0.0.1")
        .await();

    ScriptedMember anna = join("anna", "--port", String.valueOf(PORT + 1));

    assertThat(anna.exitCode()).isEqualTo(1);
    assertThat(anna.errors().lines())
        .containsExactly(
            "vertx-rdma: the hub refused: versions 9 to 9 are spoken here, 3 to 3 there");
  }
}
