package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** D5 and D6: private data on its way out and in. */
class D5_PrivateDataMemoryTest {

  private static final byte[] BYTES = {1, 2, 3, 0, -1, 0, 0};

  private final Bench bench = new Bench();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  static Stream<Arguments> kindsOfMemory() {
    ByteBuffer direct = ByteBuffer.allocateDirect(BYTES.length).put(BYTES).flip();
    byte[] around = new byte[BYTES.length + 20];
    System.arraycopy(BYTES, 0, around, 10, BYTES.length);
    return Stream.of(
        Arguments.of("heap", Buffer.buffer(BYTES)),
        Arguments.of("direct", BufferInternal.buffer(Unpooled.wrappedBuffer(direct))),
        Arguments.of(
            "read-only", BufferInternal.buffer(Unpooled.wrappedBuffer(direct.asReadOnlyBuffer()))),
        Arguments.of("slice", Buffer.buffer(around).slice(10, 10 + BYTES.length)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kindsOfMemory")
  void theBytesAreEqualWhateverHoldsThem(String kind, Buffer data) {
    bench.fake.collectGarbageDuringCalls();

    Bench.get(bench.client().connect(Bench.PORT, Bench.HOST, data));

    assertThat(bench.fake.lastCall("rdma_connect").data()).isEqualTo(BYTES);
  }

  @Test
  void nullAndEmptyAreANullPointerWithLengthZero() {
    RdmaClient client = bench.client();
    for (Buffer nothing : new Buffer[] {null, Buffer.buffer()}) {
      Bench.get(client.connect(Bench.PORT, Bench.HOST, nothing));

      FakeCall connect = bench.fake.lastCall("rdma_connect");
      assertThat(connect.i64(0)).as("private_data").isZero();
      assertThat(connect.u8(8)).as("private_data_len").isZero();
    }
  }

  @Test
  void theBytesAreThoseOfTheCallEvenIfTheBufferChangesLater() {
    Buffer data = Buffer.buffer(BYTES);
    var connecting = bench.client().connect(Bench.PORT, Bench.HOST, data);
    data.setByte(0, (byte) 99);

    Bench.get(connecting);

    assertThat(bench.fake.lastCall("rdma_connect").data()).isEqualTo(BYTES);
  }

  @Test
  void theBytesStayReachableDuringManyConnectsWithGarbageCollection() {
    bench.fake.collectGarbageDuringCalls();
    RdmaClient client = bench.client();
    for (int i = 0; i < 25; i++) {
      byte[] own = {(byte) i, (byte) (i + 1), (byte) (i + 2)};
      Bench.get(Bench.get(client.connect(Bench.PORT, Bench.HOST, Buffer.buffer(own))).close());

      assertThat(bench.fake.lastCall("rdma_connect").data()).isEqualTo(own);
    }
  }

  @Test
  void whatThePeerSentIsACopyThatOutlivesTheEvent() {
    bench.fake.replyTo("rdma_connect").type(9).privateData(BYTES);
    RdmaConnection connection = bench.connection();
    assertThat(bench.fake.eventsAcknowledged()).isEqualTo(bench.fake.eventsFetched());

    byte[] elsewhere =
        CompletableFuture.supplyAsync(() -> connection.peerPrivateData().getBytes()).join();
    connection.peerPrivateData().setByte(0, (byte) 99);
    Bench.get(connection.close());

    assertThat(elsewhere).isEqualTo(Arrays.copyOf(BYTES, 196));
    assertThat(connection.peerPrivateData().getBytes()).isEqualTo(elsewhere);
  }

  @Test
  void aRequestKeepsItsBytesAfterItsEnd() throws Exception {
    RdmaServer server = bench.server();
    CompletableFuture<ConnectRequest> arrived = new CompletableFuture<>();
    server.connectRequestHandler(arrived::complete);
    Bench.get(server.listen());
    bench
        .fake
        .incomingRequest(bench.fake.listenerOn(Bench.PORT))
        .privateData(BYTES)
        .responderResources(3)
        .initiatorDepth(5)
        .enqueue();
    ConnectRequest request = arrived.get();
    Bench.get(request.reject());

    assertThat(request.privateData().getBytes()).isEqualTo(Arrays.copyOf(BYTES, 56));
    assertThat(request.offered().responderResources()).isEqualTo(3);
    assertThat(request.offered().initiatorDepth()).isEqualTo(5);
    assertThat(request.remoteAddress().toString()).isEqualTo("10.0.0.9:5555");
  }
}
