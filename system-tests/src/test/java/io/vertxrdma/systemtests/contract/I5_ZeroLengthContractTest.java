package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A write of no bytes is a doorbell: it costs a receive and touches nothing. */
class I5_ZeroLengthContractTest {

  private static final String BEFORE = "as it was before";

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;
  private RegisteredBuffer inbox;
  private RegisteredBuffer source;

  @BeforeEach
  void connect() {
    ContractRig.Pair pair = rig.pair();
    server = pair.server();
    client = pair.client();
    inbox = rig.await(server.memory().allocateInbox(4096));
    inbox.setBuffer(0, Buffer.buffer(BEFORE));
    source = rig.await(client.memory().copyOf(Buffer.buffer("something else!!")));
  }

  @Test
  void no_bytes_to_a_valid_address_arrive_as_an_immediate_of_length_0() {
    assertRingsOnly(() -> client.writeWithImmediate(source.slice(0, 0), inbox.remote(), 0xA1));
  }

  @Test
  void no_bytes_with_address_0_and_key_0_arrive_as_an_immediate_of_length_0() {
    assertRingsOnly(
        () -> client.writeWithImmediate(source.slice(0, 0), new RemoteMemory(0, 0, 0), 0xA1));
  }

  @Test
  void an_immediate_without_any_memory_arrives_with_length_0() {
    assertRingsOnly(() -> client.writeImmediate(0xA1));
  }

  private interface Ring {
    io.vertx.core.Future<Void> now();
  }

  private void assertRingsOnly(Ring ring) {
    int receives = server.counters().receivesPosted();
    assertThat(receives).isEqualTo(256);

    rig.await(ring.now());

    Traffic.eventually(
        "one receive is used up", () -> server.counters().receivesPosted() == receives - 1);
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventually("it arrives", () -> subscriber.values().size() == 1);
    assertThat(subscriber.values().get(0).value()).isEqualTo(0xA1);
    assertThat(subscriber.values().get(0).byteLength()).isZero();
    assertThat(inbox.getBuffer(0, BEFORE.length())).hasToString(BEFORE);
    assertThat(inbox.getBytes(BEFORE.length(), 4096 - BEFORE.length())).containsOnly(0);
  }
}
