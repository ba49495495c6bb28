package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class I3_ImmediateOnTheWireTest {

  private static final List<Long> VALUES =
      List.of(0xDEADBEEFL, 1L, 0x80000000L, 0xFFFFFFFFL, 0x7FFFFFFFL, 0x01020304L, 0L);

  private final Bench bench = new Bench();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  @Test
  void theBytesInTheWorkRequestAreInNetworkOrder() {
    RdmaConnection connection = bench.connection();

    Bench.get(connection.writeImmediate(0xDEADBEEFL));

    byte[] request = bench.fake.lastCall("post_send").struct();
    assertThat(ByteBuffer.wrap(request).getInt(36)).isEqualTo(0xDEADBEEF);
    assertThat(bench.fake.lastCall("post_send").i32(28)).as("IBV_WR_RDMA_WRITE_WITH_IMM").isOne();
    assertThat(bench.fake.lastCall("post_send").i32(24)).as("num_sge").isZero();
  }

  @Test
  void theValueReadIsTheValueSent() throws Exception {
    Bench.Pair pair = bench.pair();
    BlockingQueue<Immediate> received = new LinkedBlockingQueue<>();
    pair.server().immediates().subscribe(received::add);
    for (long value : VALUES) {
      Bench.get(pair.client().writeImmediate(value));

      Immediate immediate = received.take();
      assertThat(immediate.value()).isEqualTo(value);
      assertThat(immediate.intValue()).isEqualTo((int) value);
      assertThat(immediate.byteLength()).isZero();
      assertThat(immediate.connection()).isSameAs(pair.server());
    }
  }

  @Test
  void theHandlerGetsTheSame32Bits() throws Exception {
    Bench.Pair pair = bench.pair();
    BlockingQueue<Long> received = new LinkedBlockingQueue<>();
    pair.server()
        .immediateHandler((on, value, length) -> received.add(Integer.toUnsignedLong(value)));
    for (long value : VALUES) {
      Bench.get(pair.client().writeImmediate(value));
      assertThat(received.take()).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0x1_0000_0000L, Long.MIN_VALUE, Long.MAX_VALUE})
  void aValueOutsideOf32BitsIsRefused(long value) {
    RdmaConnection connection = bench.connection();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.writeImmediate(value))
        .withMessageContaining(String.valueOf(value));

    assertThat(bench.fake.calls("post_send")).isEmpty();
  }

  @Test
  void dataAddressAndKeyArriveWithTheImmediate() throws Exception {
    Bench.Pair pair = bench.pair();
    BlockingQueue<Immediate> received = new LinkedBlockingQueue<>();
    pair.server().immediates().subscribe(received::add);
    RegisteredBuffer inbox = Bench.get(pair.server().memory().allocateInbox(64));
    RegisteredBuffer line = Bench.get(pair.client().memory().allocate(16));
    line.setBytes(0, new byte[] {9, 8, 7, 6, 5});

    Bench.get(
        pair.client()
            .writeWithImmediate(line.slice(1, 3), inbox.remote().slice(10, 3), 0xFEDCBA98L));

    Immediate immediate = received.take();
    assertThat(immediate.byteLength()).isEqualTo(3);
    assertThat(immediate.value()).isEqualTo(0xFEDCBA98L);
    assertThat(inbox.getBytes(9, 5)).containsExactly(0, 8, 7, 6, 0);
    FakeCall post = bench.fake.lastCall("post_send");
    assertThat(post.i64(40)).isEqualTo(inbox.remote().address() + 10);
    assertThat(post.i32(48)).isEqualTo(inbox.remote().key());
  }

  @Test
  void aReceiveThatIsNoWriteWithImmediateIsDroppedAndReportedOnce() {
    RdmaConnection connection = bench.connection(new RdmaClientOptions().setReceiveDepth(8));
    var received = connection.immediates().test();
    int number = bench.lastQueuePair();
    for (int i = 0; i < 40; i++) {
      // IBV_WC_RECV with an immediate: a send, not a write.
      bench.fake.completeReceive(number, 0, 128, 0, 5, 2);
      Bench.until("its receive to come back", () -> bench.fake.postedReceives(number) >= 6);
    }
    bench.fake.completeReceiveWithImm(number, 6, 0);
    received.awaitCount(1).assertValueCount(1);

    assertThat(received.values().get(0).value()).isEqualTo(6);
    assertThat(bench.log.warnings())
        .singleElement()
        .asString()
        .contains("not a write with immediate");
  }

  @Test
  void aTraceLoggerShowsOpcodeFlagsAndImmediateOfEveryCompletion() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("io.vertxrdma.completions");
    Bench.Pair pair = bench.pair();
    BlockingQueue<Immediate> received = new LinkedBlockingQueue<>();
    pair.server().immediates().subscribe(received::add);
    try (LogLines lines = new LogLines()) {
      Bench.get(pair.client().writeImmediate(1));
      received.take();
      assertThat(lines.containing("RECV_RDMA_WITH_IMM")).isEmpty();
      logger.setLevel(Level.TRACE);
      Bench.get(pair.client().writeImmediate(0xDEADBEEFL));
      received.take();
      assertThat(lines.containing("RECV_RDMA_WITH_IMM flags 2 bytes 0 immediate 0xdeadbeef"))
          .hasSize(1);
      Bench.until("the sender's line", () -> lines.containing("RDMA_WRITE flags 0").size() == 1);
    } finally {
      logger.setLevel(null);
    }
  }

  @Test
  void anImmediateKnowsWhenItCame() throws Exception {
    Bench.Pair pair = bench.pair();
    BlockingQueue<Immediate> received = new LinkedBlockingQueue<>();
    long before = System.nanoTime();
    Bench.get(pair.client().writeImmediate(7));
    Bench.until("it came", () -> pair.server().counters().immediatesWaiting() == 1);
    long between = System.nanoTime();
    pair.server().immediates().subscribe(received::add);
    long came = received.take().nanoTime();
    assertThat(came - before).isNotNegative();
    assertThat(between - came).isNotNegative();
  }
}
