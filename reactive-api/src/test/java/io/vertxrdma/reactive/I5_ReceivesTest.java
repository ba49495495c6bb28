package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.reactive.Bench.Transport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I5, and what else there is to say of posted receives: they are the peer's credits. */
class I5_ReceivesTest {

  private static int entries(FakeCall post) {
    return ByteBuffer.wrap(post.struct()).order(ByteOrder.nativeOrder()).getInt(24);
  }

  private static RdmaClientOptions receives(int depth) {
    return new RdmaClientOptions().setReceiveDepth(depth);
  }

  @Test
  void receivesHaveNoMemory() {
    try (Bench bench = new Bench()) {
      bench.connection(receives(10));

      assertThat(bench.fake.calls("post_recv")).allMatch(post -> entries(post) == 0);
      assertThat(bench.fake.calls("ibv_reg_mr")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {22, -1})
  void aDeviceThatRefusesThatGetsOneDummyEntry(int value) {
    try (Bench bench = new Bench()) {
      bench.fake.refusePost("post_recv", 0, value, 22);
      RdmaConnection connection = bench.connection(receives(10));
      int number = bench.lastQueuePair();

      List<FakeCall> posts = bench.fake.calls("post_recv");
      assertThat(entries(posts.get(0))).isZero();
      assertThat(posts.subList(1, posts.size())).allMatch(post -> entries(post) == 1);
      assertThat(bench.fake.postedReceives(number)).isEqualTo(10);
      assertThat(bench.fake.calls("ibv_reg_mr")).hasSize(1);

      var received = connection.immediates().test();
      bench.fake.completeReceiveWithImm(number, 7, 0);
      received.awaitCount(1);
      assertThat(received.values().get(0).byteLength()).isZero();
      Bench.get(connection.close());
      assertThat(bench.fake.live()).doesNotContainKey("memory regions");
    }
  }

  @Test
  void anotherRefusalFailsTheConnectWithItsErrno() {
    try (Bench bench = new Bench()) {
      bench.fake.refusePost("post_recv", 0, 12, 12);

      assertThat(Bench.failure(bench.client(receives(10)).connect(Bench.PORT, Bench.HOST)))
          .hasMessageContaining("ibv_post_recv")
          .hasMessageContaining("1 of 10 receives")
          .hasMessageContaining("ENOMEM");
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 65, 256})
  void allArePostedBeforeThePeerLearnsOfIt(int depth) {
    try (Bench bench = new Bench()) {
      AtomicInteger atConnect = new AtomicInteger();
      AtomicInteger atAccept = new AtomicInteger();
      bench.fake.before(
          "rdma_connect", call -> atConnect.set(bench.fake.postedReceives(bench.lastQueuePair())));
      bench.fake.before(
          "rdma_accept", call -> atAccept.set(bench.fake.postedReceives(bench.lastQueuePair())));

      bench.pair(new RdmaServerOptions().setReceiveDepth(depth), receives(depth));

      assertThat(atConnect).hasValue(depth);
      assertThat(atAccept).hasValue(depth);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void noneIsPostedAfterTheQueuePairIsInError(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection(receives(8));
      var received = connection.immediates().test(0);
      int number = bench.lastQueuePair();
      for (int i = 0; i < 8; i++) {
        bench.fake.completeReceiveWithImm(number, i, 0);
      }
      Bench.until("them to wait", () -> connection.counters().immediatesWaiting() == 8);
      bench.fake.clearCalls();
      bench.fake.event(bench.fake.idOfQueuePair(number)).type(10).enqueue();
      Bench.get(connection.closed());

      // What waited is still handed over, but its receives stay unposted.
      received.request(8);
      received.awaitCount(8);
      bench.settle();

      assertThat(bench.fake.calls("post_recv")).isEmpty();
      received.assertValueCount(8).assertComplete();
    }
  }

  @Test
  void aReceiveComesBackOnlyForAnImmediateThatWasHandedOver() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(receives(8));
      var received = connection.immediates().test(0);
      int number = bench.lastQueuePair();
      for (int i = 0; i < 8; i++) {
        bench.fake.completeReceiveWithImm(number, i, 0);
      }
      Bench.until("them to wait", () -> connection.counters().immediatesWaiting() == 8);
      assertThat(bench.fake.postedReceives(number)).isZero();

      received.request(1);
      Bench.until("one credit", () -> bench.fake.postedReceives(number) == 1);
      received.request(2);
      Bench.until("two more", () -> bench.fake.postedReceives(number) == 3);
      bench.settle();

      assertThat(bench.fake.postedReceives(number)).isEqualTo(3);
      assertThat(connection.counters().receivesPosted()).isEqualTo(3);
      assertThat(connection.counters().receivesPostedTotal()).isEqualTo(11);
    }
  }

  @Test
  void creditsGoBackInChainsAndNoneIsLost() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(receives(256));
      var received = connection.immediates().test();
      int number = bench.lastQueuePair();
      bench.fake.clearCalls();
      for (int i = 0; i < 5_000; i++) {
        Bench.until("a credit", () -> bench.fake.postedReceives(number) > 0);
        bench.fake.completeReceiveWithImm(number, i, 0);
      }

      received.awaitCount(5_000);
      bench.settle();

      assertThat(received.values())
          .extracting(Immediate::value)
          .isEqualTo(LongStream.range(0, 5_000).boxed().toList());
      // What has not come back yet is less than one chain of 64.
      assertThat(bench.fake.postedReceives(number)).isBetween(193, 256);
      List<FakeCall> posts = bench.fake.calls("post_recv");
      assertThat(posts.stream().mapToInt(post -> post.structs().size()).sum())
          .isEqualTo(5_000 - 256 + bench.fake.postedReceives(number));
      assertThat(posts.size()).as("calls for 5000 credits").isLessThanOrEqualTo(5_000 / 64 + 1);
    }
  }

  @Test
  void aRefusedRepostEndsTheConnectionWithItsErrno() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(receives(1));
      var received = connection.immediates().test();
      bench.fake.refusePost("post_recv", 0, 22, 22);

      bench.fake.completeReceiveWithImm(bench.lastQueuePair(), 1, 0);

      Bench.get(connection.closed());
      received.awaitDone(20, TimeUnit.SECONDS);
      received
          .assertValueCount(1)
          .assertError(error -> error.getMessage().contains("ibv_post_recv"));
    }
  }

  @Test
  void afterAReconnectAllReceivesAreThereAgain() {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client(receives(32));
      for (int i = 0; i < 3; i++) {
        RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
        int number = bench.lastQueuePair();
        assertThat(bench.fake.postedReceives(number)).isEqualTo(32);
        var received = connection.immediates().test();
        bench.burst(number, 10);
        received.awaitCount(10);
        Bench.get(connection.close());
      }
    }
  }
}
