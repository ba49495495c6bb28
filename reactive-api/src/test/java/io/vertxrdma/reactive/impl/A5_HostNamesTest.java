package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.reactive.Bench;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class A5_HostNamesTest {

  private final Deque<List<InetAddress>> answers = new ArrayDeque<>();

  private RdmaClient client(Bench bench, RdmaClientOptions options) {
    return new RdmaClientImpl(
        bench.vertx, options, bench.provider, (on, name) -> on.succeededFuture(answers.poll()));
  }

  private RdmaClient client(Bench bench) {
    return client(bench, new RdmaClientOptions());
  }

  private void answer(String... addresses) {
    answers.add(
        Arrays.stream(addresses)
            .map(
                text -> {
                  try {
                    return InetAddress.getByName(text);
                  } catch (UnknownHostException e) {
                    throw new AssertionError(e);
                  }
                })
            .toList());
  }

  private static List<String> tried(Bench bench) {
    return bench.fake.calls("rdma_resolve_addr").stream()
        .map(FakeCall::address)
        .map(address -> address.getAddress().getHostAddress())
        .toList();
  }

  private static List<Long> ids(Bench bench) {
    return bench.fake.calls("rdma_resolve_addr").stream()
        .map(call -> call.argument(0))
        .distinct()
        .toList();
  }

  @Test
  void theListIsTriedInOrderWithAFreshIdEach() {
    try (Bench bench = new Bench()) {
      answer("192.168.7.7", "fd00::7", "10.0.0.1", "10.0.0.2");
      bench.fake.failNext("rdma_resolve_addr", 19);
      bench.fake.failNext("rdma_resolve_addr", 101);

      var connection = Bench.get(client(bench).connect(Bench.PORT, "two.example"));

      assertThat(connection.remoteAddress().hostAddress()).isEqualTo("10.0.0.1");
      assertThat(tried(bench)).containsExactly("192.168.7.7", "fd00:0:0:0:0:0:0:7", "10.0.0.1");
      assertThat(ids(bench)).hasSize(3);
      assertThat(bench.fake.ids()).hasSize(1);
    }
  }

  @Test
  void anAddressWhoseResolutionFailsLaterGivesWayToTheNext() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.2", "10.0.0.1");
      bench.fake.replyTo("rdma_resolve_addr").type(1).status(-19);
      bench.fake.after("rdma_resolve_addr", call -> bench.fake.asUsual("rdma_resolve_addr"));

      var connection = Bench.get(client(bench).connect(Bench.PORT, "two.example"));

      assertThat(connection.remoteAddress().hostAddress()).isEqualTo("10.0.0.1");
      assertThat(ids(bench)).hasSize(2);
    }
  }

  @Test
  void whenAllFailTheErrorListsEachAddressAndCause() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.1", "10.0.0.2");
      bench.fake.replyTo("rdma_resolve_addr").type(1).status(-19);

      Throwable failure = Bench.failure(client(bench).connect(Bench.PORT, "two.example"));

      assertThat(failure)
          .isInstanceOf(AddressException.class)
          .hasMessageContaining("no address of two.example could be connected")
          .hasMessageContaining("10.0.0.1:18515: RDMA_CM_EVENT_ADDR_ERROR, error: -19")
          .hasMessageContaining("10.0.0.2:18515: RDMA_CM_EVENT_ADDR_ERROR, error: -19");
      assertThat(failure.getSuppressed()).hasSize(2);
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void failuresOfDifferentKindsAreSummedUpAsAConnectFailure() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.1", "10.0.0.2");
      bench.fake.failNext("rdma_resolve_addr", 19);
      bench.fake.replyTo("rdma_connect").type(7).status(-110);

      assertThat(Bench.failure(client(bench).connect(Bench.PORT, "two.example")))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("10.0.0.1:18515: ")
          .hasMessageContaining("10.0.0.2:18515: RDMA_CM_EVENT_UNREACHABLE, -110");
    }
  }

  @Test
  void aPeerThatSaysNoIsNotAskedAtAnotherAddress() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.1", "10.0.0.2");
      bench.fake.replyTo("rdma_connect").type(8).status(28).privateData((byte) 42);

      Throwable failure = Bench.failure(client(bench).connect(Bench.PORT, "two.example"));

      assertThat(failure).isInstanceOf(ConnectionRejectedException.class);
      assertThat(((ConnectionRejectedException) failure).privateData()).startsWith(42);
      assertThat(tried(bench)).containsExactly("10.0.0.1");
    }
  }

  @Test
  void aRefusedPortMayBeOpenAtAnotherAddress() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.1", "10.0.0.2");
      bench.fake.replyTo("rdma_connect").type(8).status(8);
      bench.fake.after("rdma_connect", call -> bench.fake.asUsual("rdma_connect"));

      var connection = Bench.get(client(bench).connect(Bench.PORT, "two.example"));

      assertThat(connection.remoteAddress().hostAddress()).isEqualTo("10.0.0.2");
    }
  }

  @Test
  void theNameIsLookedUpForEachConnect() {
    try (Bench bench = new Bench()) {
      answer("10.0.0.1");
      answer("10.0.0.2");
      RdmaClient client = client(bench);

      Bench.get(client.connect(Bench.PORT, "moving.example"));
      Bench.get(client.connect(Bench.PORT, "moving.example"));

      assertThat(tried(bench)).containsExactly("10.0.0.1", "10.0.0.2");
    }
  }

  @Test
  void theTimeoutCoversAllAddressesTogether() {
    try (Bench bench = new Bench()) {
      bench.fake.silence("rdma_resolve_addr");
      int timeout = 50;
      do {
        // As long as this machine needs to try the first one.
        timeout *= 2;
        answer("10.0.0.1", "10.0.0.2", "10.0.0.3");
        RdmaClient client = client(bench, new RdmaClientOptions().setConnectTimeout(timeout));
        assertThat(Bench.failure(client.connect(Bench.PORT, "silent.example")))
            .isInstanceOf(ConnectTimeoutException.class)
            .hasMessageContaining("timed out after " + timeout + " ms");
      } while (tried(bench).isEmpty());

      assertThat(tried(bench)).containsExactly("10.0.0.1");
      bench.assertNoConnectionLeft();
    }
  }
}
