package io.vertxrdma.demos.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.demos.chat.Greeting.HubGreeting;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.directory.RdmaDirectory;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingDescriptor;
import java.time.Clock;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several hubs over the fake native layer, which find each other in the directory of a process. */
@Timeout(60)
class HubMeshTest {

  private static final String HOST = "10.0.0.1";

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();

  /** A hub with what it needs, on the one event loop. */
  private final class Member {

    private final int port;
    private final BlockingQueue<String> screen = new LinkedBlockingQueue<>();
    private ChatServer server;
    private HubMesh mesh;
    private RdmaDirectory directory;

    Member(int port) {
      this.port = port;
      onLoop(
          () -> {
            Hub hub = new Hub("lobby", 50, Clock.systemUTC(), line -> {});
            Histories histories = new Histories();
            server =
                new ChatServer(
                    vertx, provider, new RdmaServerOptions(), hub, histories, screen::add);
            mesh =
                new HubMesh(
                    vertx,
                    provider,
                    new RdmaClientOptions(),
                    hub,
                    histories,
                    HOST,
                    port,
                    screen::add);
            server.setMesh(mesh);
            directory = RdmaDirectory.create(vertx);
            return server.listen(port, HOST).compose(listening -> mesh.join(directory));
          });
    }

    ScriptedMember join(String nick) {
      return new ScriptedMember(provider, nick, "--port", String.valueOf(port));
    }

    Member sees(String... lines) throws InterruptedException {
      for (String line : lines) {
        assertThat(screen.poll(30, TimeUnit.SECONDS)).isEqualTo(line);
      }
      return this;
    }

    void close() {
      onLoop(() -> directory.close().eventually(mesh::close).eventually(server::close));
    }
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    return Future.<T>future(
            promise -> context.runOnContext(start -> work.get().onComplete(promise)))
        .await();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(20, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }

  private static void leave(ScriptedMember... members) throws Exception {
    for (ScriptedMember each : members) {
      each.close();
      assertThat(each.exitCode()).isZero();
    }
  }

  /** Two hubs that know each other, with a member at each. */
  private final class Pair {

    private final Member one = new Member(1);
    private final Member two = new Member(2).sees("* hub 10.0.0.1:1 is here");
    private final ScriptedMember anna;
    private final ScriptedMember bert;

    Pair() throws InterruptedException {
      one.sees("* hub 10.0.0.1:2 is here");
      anna = one.join("anna").sees("* welcome to lobby; here: anna");
      bert = two.join("bert").sees("* welcome to lobby; here: anna, bert");
      anna.sees("* bert joined");
    }
  }

  @Test
  void membersOfDifferentHubsAreInOneRoom() throws Exception {
    Pair pair = new Pair();
    ScriptedMember anna = pair.anna;
    ScriptedMember bert = pair.bert;

    anna.types("hello over there");
    bert.sees("anna: hello over there").types("hello back", "/join garden");
    bert.sees("* welcome to garden; here: bert");
    anna.sees("bert: hello back", "* bert went to garden").types("/rooms");
    anna.sees("* rooms: lobby (1), garden (1)").types("/join garden");
    anna.sees("* welcome to garden; here: bert, anna");
    bert.sees("* anna joined").types("/quit");
    anna.sees("* bert left");
    leave(anna, bert);
  }

  @Test
  void aHubThatComesLaterReadsTheHistoryOfTheRoomsAndKnowsWhoIsThere() throws Exception {
    Member one = new Member(1);
    ScriptedMember anna = one.join("anna").sees("* welcome to lobby; here: anna");
    anna.types("first", "second", "/who").sees("* here: anna");

    Member two = new Member(2).sees("* hub 10.0.0.1:1 is here");
    one.sees("* hub 10.0.0.1:2 is here");
    // Known there once its history is: the order of a link.
    untilTaken(two, "anna");
    ScriptedMember bert = two.join("bert");

    assertThat(bert.next()).endsWith("anna: first");
    assertThat(bert.next()).endsWith("anna: second");
    bert.sees("* welcome to lobby; here: anna, bert");
    leave(anna, bert);
  }

  /** Until the hub refuses the nickname, since a member of another hub has it. */
  private void untilTaken(Member hub, String nick) throws Exception {
    for (boolean taken = false; !taken; ) {
      ScriptedMember same = hub.join(nick);
      same.close();
      taken = same.exitCode() == 1;
    }
  }

  @Test
  void threeHubsHearEachOtherOnce() throws Exception {
    Member one = new Member(1);
    Member two = new Member(2).sees("* hub 10.0.0.1:1 is here");
    Member three = new Member(3);
    assertThat(three.screen.poll(30, TimeUnit.SECONDS)).endsWith("is here");
    assertThat(three.screen.poll(30, TimeUnit.SECONDS)).endsWith("is here");
    ScriptedMember anna = one.join("anna").sees("* welcome to lobby; here: anna");
    ScriptedMember bert = two.join("bert").sees("* welcome to lobby; here: anna, bert");
    ScriptedMember carl = three.join("carl");
    carl.next();
    anna.sees("* bert joined", "* carl joined");
    bert.sees("* carl joined");

    anna.types("one");
    bert.sees("anna: one").types("two");
    carl.sees("anna: one", "bert: two").types("three");
    anna.sees("bert: two", "carl: three");
    bert.sees("carl: three");
    leave(anna, bert, carl);
  }

  @Test
  void theMembersOfAHubThatEndsAreGoneAndItIsMetAgainWhenItIsBack() throws Exception {
    Pair pair = new Pair();
    ScriptedMember anna = pair.anna;
    ScriptedMember bert = pair.bert;

    pair.two.close();

    anna.sees("* bert is gone: hub 10.0.0.1:2 is gone");
    pair.one.sees("* hub 10.0.0.1:2 is gone");
    assertThat(bert.exitCode()).isEqualTo(1);
    Member again = new Member(2).sees("* hub 10.0.0.1:1 is here");
    pair.one.sees("* hub 10.0.0.1:2 is here");
    untilTaken(again, "anna");
    ScriptedMember back = again.join("bert").sees("* welcome to lobby; here: anna, bert");
    anna.sees("* bert joined");
    leave(anna, back);
  }

  @Test
  void aHubThatDoesNotKeepUpCountsAsLostAndIsNotWaitedFor() throws Exception {
    Member one = new Member(1);
    ScriptedMember anna = one.join("anna").sees("* welcome to lobby; here: anna");
    LazyMember slow = LazyMember.hub(vertx, provider, 1, "zoe");
    anna.sees("* zoe joined");
    one.sees("* hub 10.0.0.1:9 is here");

    // In its ring, on the way to it, waiting for that, and one too many.
    onLoop(
        () -> {
          for (int i = 0; i < 2 * ChatRing.SLOTS + HubLink.OUTBOX + 1; i++) {
            one.mesh.said("anna", "line " + i);
          }
          return Future.succeededFuture();
        });

    anna.sees("* zoe is gone: hub 10.0.0.1:9 is gone: it does not keep up");
    one.sees("* hub 10.0.0.1:9 is gone");
    slow.wakeUp();
    leave(anna);
  }

  @Test
  void aHubThatConnectsAnewBeforeItsLossWasSeenIsThereOnce() throws Exception {
    Member one = new Member(1);
    ScriptedMember anna = one.join("anna").sees("* welcome to lobby; here: anna");
    LazyMember.hub(vertx, provider, 1, "zoe");
    anna.sees("* zoe joined");

    LazyMember.hub(vertx, provider, 1, "zoe");

    anna.sees("* zoe is gone: hub 10.0.0.1:9 is gone", "* zoe joined").types("/who");
    anna.sees("* here: anna, zoe");
    one.sees("* hub 10.0.0.1:9 is here", "* hub 10.0.0.1:9 is gone", "* hub 10.0.0.1:9 is here");
    leave(anna);
  }

  @Test
  void aHubThatIsAloneLetsNoOtherIn() {
    onLoop(
        () ->
            new ChatServer(
                    vertx,
                    provider,
                    new RdmaServerOptions(),
                    new Hub("lobby", 0, Clock.systemUTC(), line -> {}),
                    new Histories(),
                    line -> {})
                .listen(1, HOST));
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    RingDescriptor ring = new RingDescriptor(new RemoteMemory(0x1000, 1, 64 * 512), 64, 512);
    Buffer greeting = new HubGreeting("0a1b2c3d", 2, ring).encode();

    RdmaClient.create(vertx, new RdmaClientOptions(), provider)
        .connect(1, HOST, greeting)
        .onFailure(outcome::complete);

    assertThat(outcome)
        .succeedsWithin(30, TimeUnit.SECONDS)
        .isInstanceOfSatisfying(
            HandshakeRejectedException.class,
            rejected ->
                assertThat(rejected.rejection().text())
                    .isEqualTo("this hub was not started with --cluster"));
  }
}
