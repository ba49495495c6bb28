package io.vertxrdma.docs;

import static io.vertxrdma.docs.SoftPairs.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.WorkRequest;
import io.vertxrdma.soft.SoftDeviceOptions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The chapter's code does what the chapter says, on the soft provider. */
class OperationsTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private final SoftPairs pairs = new SoftPairs("127.0.0.89");

  private RdmaConnection server;
  private RdmaConnection client;

  @AfterEach
  void close() {
    pairs.close();
  }

  private void connect(RdmaServerOptions options) {
    ConnectionParameters reads = ConnectionParameters.READ_HEAVY;
    pairs.listen(options.setParameters(reads), new RdmaClientOptions().setParameters(reads));
    SoftPairs.Pair pair = pairs.connect();
    server = pair.server();
    client = pair.client();
  }

  @Test
  void a_ticket_is_taken_and_a_record_is_read() throws Exception {
    connect(new RdmaServerOptions());
    RegisteredBuffer there = get(Operations.offer(server.memory()));
    there.setBuffer(64, Buffer.buffer("a record"));
    RegisteredBuffer here = get(client.memory().allocate(128));
    assertThat(get(Operations.fetch(client, there.remote(), here)).getString(0, 8))
        .isEqualTo("a record");
    assertThat(get(client.fetchAndAdd(there.remote().slice(0, 8), 1))).isEqualTo(1);
  }

  @Test
  void what_a_read_brought_is_written_behind_a_header() throws Exception {
    connect(new RdmaServerOptions());
    RegisteredBuffer there = get(Operations.offer(server.memory()));
    RegisteredBuffer inbox = get(server.memory().allocateInbox(64));
    there.setBuffer(0, Buffer.buffer("body"));
    RegisteredBuffer here = get(client.memory().copyOf(Buffer.buffer("head----")));
    for (Future<Void> future :
        Operations.chain(
            client, here.slice(0, 4), here.slice(4, 4), there.remote(), inbox.remote())) {
      get(future);
    }
    assertThat(inbox.getBuffer(0, 8)).isEqualTo(Buffer.buffer("headbody"));
  }

  @Test
  void a_stream_of_segments_is_shipped() throws Exception {
    connect(SharedReceives.own(SoftDeviceOptions.DEFAULT.attributes(1)));
    BlockingQueue<Long> seen = new LinkedBlockingQueue<>();
    server.immediates().map(immediate -> immediate.value()).subscribe(seen::add);
    Operations.ship(
            client, Flowable.range(0, 300).map(i -> WorkRequest.writeWithImmediate(null, i)))
        .blockingAwait();
    for (long i = 0; i < 300; i++) {
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(i);
    }
    assertThat(server.counters().receivesExhausted()).isZero();
  }

  @Test
  void messages_from_pooled_memory_arrive() throws Exception {
    connect(Operations.messageOptions());
    BlockingQueue<Buffer> seen = new LinkedBlockingQueue<>();
    Operations.messages(server, seen::add);
    var pool = client.memory().pool(1 << 20);
    for (String line : List.of("one", "two", "three")) {
      Operations.say(client, pool, line).blockingAwait();
      assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(Buffer.buffer(line));
    }
    // Ends when every piece has come back.
    get(pool.close());
    assertThat(pool.registeredBytes()).isZero();
  }
}
