package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages from the client into a ring at the server. */
class RingChannelTest {

  private static final int SLOT = 16;

  private final Bench bench = new Bench();
  private final Bench.Pair pair = bench.pair();
  private InboxRing ring;
  private RingChannel reader;
  private RingChannel writer;

  @AfterEach
  void close() {
    bench.close();
  }

  private void open(int slots) {
    ring = Bench.get(InboxRing.allocate(pair.server().memory(), slots, SLOT));
    reader = RingChannel.over(pair.server(), ring, null);
    writer = RingChannel.over(pair.client(), null, passed(ring.descriptor()));
  }

  /** As it travels in private data. */
  private static RingDescriptor passed(RingDescriptor descriptor) {
    assertThat(descriptor.encode().length()).isEqualTo(RingDescriptor.ENCODED_LENGTH).isEqualTo(24);
    Buffer data = Buffer.buffer("xy").appendBuffer(descriptor.encode()).appendBytes(new byte[30]);
    return RingDescriptor.decode(data, 2);
  }

  private static Buffer message(int number) {
    return Buffer.buffer("message " + number);
  }

  private List<Future<Void>> write(int first, int count) {
    List<Future<Void>> written = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      written.add(writer.write(message(first + i)));
    }
    return written;
  }

  private long creditsSeen() {
    return pair.client().counters().immediatesReceived();
  }

  private static List<String> texts(TestSubscriber<Buffer> subscriber) {
    return subscriber.values().stream().map(Buffer::toString).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 64})
  void aReaderGetsEveryMessageInOrderHoweverSmallTheRing(int slots) {
    open(slots);
    TestSubscriber<Buffer> messages = reader.buffers().test();

    Bench.get(Future.all(write(0, 200)));

    messages.awaitCount(200);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      expected.add("message " + i);
    }
    assertThat(texts(messages)).isEqualTo(expected);
  }

  @Test
  void aWriterWithoutASlotWaitsAndGoesOnWhenMessagesWereReleased() {
    open(4);
    TestSubscriber<RingMessage> messages = reader.messages().test();

    List<Future<Void>> written = write(0, 10);

    Bench.get(Future.all(written.subList(0, 4)));
    messages.awaitCount(4);
    bench.settle();
    messages.assertValueCount(4);
    assertThat(written.subList(4, 10)).noneMatch(Future::isComplete);
    assertThat(writer.freeSlots()).isZero();

    List.copyOf(messages.values()).forEach(RingMessage::release);
    messages.awaitCount(8);
    List.copyOf(messages.values()).forEach(RingMessage::release);
    Bench.get(Future.all(written));
    messages.awaitCount(10);
  }

  @Test
  void slotsAreGivenBackHalfARingAtATime() {
    open(8);
    // The last credits may be under way when the bench closes both ends, which then is an error.
    reader.buffers().test();

    for (int i = 0; i < 80; i++) {
      Bench.get(writer.write(message(i)));
    }

    Bench.until("all but less than half of a ring is given back", () -> writer.freeSlots() > 4);
    assertThat(creditsSeen()).isBetween(19L, 20L);
  }

  @Test
  void aReaderThatHoldsWhatItHasReadGetsTheNextMessagesAllTheSame() {
    open(8);
    TestSubscriber<RingMessage> messages = reader.messages().test();
    List<Future<Void>> written = write(0, 9);
    messages.awaitCount(8);

    // One is far from half of the ring, but nothing else is there to be read.
    messages.values().get(0).release();

    messages.awaitCount(9).assertValueCount(9);
    Bench.get(Future.all(written));
  }

  @Test
  void aMessageThatIsHeldHoldsBackTheSlotsAfterIt() {
    open(4);
    TestSubscriber<RingMessage> messages = reader.messages().test();
    Bench.get(Future.all(write(0, 4)));
    messages.awaitCount(4);

    for (int i = 3; i > 0; i--) {
      messages.values().get(i).release();
    }
    bench.settle();
    assertThat(writer.freeSlots()).isZero();

    messages.values().get(0).release();
    Bench.until("all slots are free", () -> writer.freeSlots() == 4);
    assertThat(creditsSeen()).isEqualTo(1);
  }

  @Test
  void aMessageIsReadInPlaceAndNotAfterItsRelease() {
    open(4);
    TestSubscriber<RingMessage> messages = reader.messages().test();
    Bench.get(writer.write(Buffer.buffer(new byte[] {1, 2, 3})));
    RingMessage message = messages.awaitCount(1).values().get(0);

    assertThat(message.length()).isEqualTo(3);
    assertThat(message.slot()).isZero();
    assertThat(message.byteBuffer()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(message.copy()).isEqualTo(Buffer.buffer(new byte[] {1, 2, 3}));
    message.release();
    message.release();

    assertThatIllegalStateException().isThrownBy(message::byteBuffer);
    assertThatIllegalStateException().isThrownBy(message::copy);
    bench.settle();
    // Released once: nothing was given back twice.
    TestSubscriber<Buffer> more = new TestSubscriber<>();
    messages.cancel();
    reader.buffers().subscribe(more);
    Bench.get(Future.all(write(0, 20)));
    more.awaitCount(20);
  }

  @Test
  void aSliceOfRegisteredMemoryIsSentWithoutCopyAndInTurnWithOthers() {
    open(4);
    TestSubscriber<Buffer> messages = reader.buffers().test();
    RegisteredBuffer own =
        Bench.get(pair.client().memory().copyOf(Buffer.buffer("0123456789abcdef")));

    Bench.get(
        Future.all(
            List.of(
                writer.write(Buffer.buffer("first")),
                writer.write(own.slice(2, 5)),
                writer.write(Buffer.buffer()),
                writer.write(own.slice(0, SLOT)),
                writer.write(own.slice(3, 0)),
                writer.write(Buffer.buffer("last")))));

    messages.awaitCount(6);
    assertThat(texts(messages))
        .containsExactly("first", "23456", "", "0123456789abcdef", "", "last");
  }

  @Test
  void aMessageThatIsTooLongIsRefusedNamingBothLengths() {
    open(4);
    TestSubscriber<Buffer> messages = reader.buffers().test();
    RegisteredBuffer own = Bench.get(pair.client().memory().allocate(SLOT + 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write(Buffer.buffer(new byte[SLOT + 1])))
        .withMessage("a message has at most 16 bytes, the peer's slot, was 17");
    assertThatIllegalArgumentException().isThrownBy(() -> writer.write(own.all()));

    Bench.get(writer.write(message(1)));
    messages.awaitCount(1);
    assertThat(texts(messages)).containsExactly("message 1");
  }

  @Test
  void aClosedSliceFailsAloneAndItsSlotIsForTheNext() {
    open(4);
    TestSubscriber<Buffer> messages = reader.buffers().test();
    RegisteredBuffer own = Bench.get(pair.client().memory().allocate(SLOT));
    RegisteredBuffer.Slice slice = own.all();
    Bench.get(own.close());

    assertThat(Bench.failure(writer.write(slice))).isInstanceOf(IllegalStateException.class);

    Bench.get(writer.write(message(2)));
    messages.awaitCount(1);
    assertThat(texts(messages)).containsExactly("message 2");
    assertThat(pair.client().isOpen()).isTrue();
  }

  @Test
  void aFullWriteQueueTellsWhenItHasDrained() {
    open(2);
    AtomicInteger drained = new AtomicInteger();
    writer.setWriteQueueMaxSize(6).drainHandler(nothing -> drained.incrementAndGet());
    assertThat(writer.writeQueueFull()).isFalse();

    List<Future<Void>> written = write(0, 8);
    assertThat(writer.writeQueueFull()).isTrue();
    bench.settle();
    assertThat(drained).hasValue(0);

    // The last credits may be under way when the bench closes both ends, which then is an error.
    reader.buffers().test();
    Bench.get(Future.all(written));
    Bench.until("the drain handler ran", () -> drained.get() == 1);
    assertThat(writer.writeQueueFull()).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> writer.setWriteQueueMaxSize(0));
  }

  @Test
  void bothSidesMayHaveARingAndOtherImmediatesShareTheConnection() {
    List<Long> others = new CopyOnWriteArrayList<>();
    InboxRing atServer = Bench.get(InboxRing.allocate(pair.server().memory(), 4, SLOT));
    InboxRing atClient = Bench.get(InboxRing.allocate(pair.client().memory(), 8, SLOT));
    RingChannel server =
        RingChannel.over(
            pair.server(),
            atServer,
            atClient.descriptor(),
            RingFormat.DEFAULT,
            (on, immediate, length) -> {
              others.add(Integer.toUnsignedLong(immediate));
              if (immediate == 1) {
                throw new IllegalStateException("no good at 1");
              }
            });
    RingChannel client = RingChannel.over(pair.client(), atClient, atServer.descriptor());
    TestSubscriber<Buffer> toServer = server.buffers().test();
    TestSubscriber<Buffer> toClient = client.buffers().test();

    for (int i = 0; i < 50; i++) {
      client.write(message(i));
      server.write(message(1000 + i));
      pair.client().writeImmediate(i);
    }

    toServer.awaitCount(50);
    toClient.awaitCount(50);
    Bench.until("all others came", () -> others.size() == 50);
    assertThat(texts(toServer)).startsWith("message 0", "message 1").endsWith("message 49");
    assertThat(texts(toClient)).startsWith("message 1000").endsWith("message 1049");
    assertThat(others).startsWith(0L, 1L, 2L).endsWith(49L);
    assertThat(bench.takeUncaught())
        .singleElement()
        .hasToString("java.lang.IllegalStateException: no good at 1");
  }

  @Test
  void otherImmediatesThatNobodyTakesAreCountedNotFatal() {
    open(4);
    TestSubscriber<Buffer> messages = reader.buffers().test();

    Bench.get(pair.client().writeImmediate(77));
    Bench.get(writer.write(message(1)));

    messages.awaitCount(1);
    assertThat(bench.log.warnings()).anyMatch(line -> line.contains("type 0"));
    assertThat(pair.server().isOpen()).isTrue();
  }

  @Test
  void afterAClosedByThePeerWhatCameIsReadAndWhatWaitsFails() {
    open(2);
    List<Future<Void>> written = write(0, 5);
    Bench.get(Future.all(written.subList(0, 2)));
    TestSubscriber<Buffer> messages = reader.buffers().test(0);

    Bench.get(pair.client().close());
    Bench.get(pair.server().closed());

    assertThat(Bench.failure(written.get(4))).isInstanceOf(RdmaException.class);
    assertThat(Bench.settled(writer.write(message(9))).failed()).isTrue();
    messages.assertNotComplete().request(10);
    messages.awaitDone(20, TimeUnit.SECONDS).assertComplete();
    assertThat(texts(messages)).containsExactly("message 0", "message 1");
  }

  private static long immediate(int type, int number) {
    return (long) type << 24 | number;
  }

  private TestSubscriber<Buffer> misbehave(long immediate, int length) {
    ring = Bench.get(InboxRing.allocate(pair.server().memory(), 4, SLOT));
    reader = RingChannel.over(pair.server(), ring, ring.descriptor());
    TestSubscriber<Buffer> messages = reader.buffers().test();
    RegisteredBuffer source = Bench.get(pair.client().memory().allocate(64));
    pair.client()
        .writeWithImmediate(source.slice(0, length), ring.descriptor().memory(), immediate);
    messages.awaitDone(20, TimeUnit.SECONDS);
    Bench.get(pair.server().closed());
    Bench.get(pair.client().closed());
    return messages;
  }

  @ParameterizedTest(name = "type {0}, number {1}, {2} bytes: {3}")
  @CsvSource({
    "254, 1, 5, 'the peer wrote to slot 1, the next in order of 4 was 0'",
    "254, 16777215, 5, 'the peer wrote to slot 16777215, the next in order of 4 was 0'",
    "254, 0, 17, 'the peer wrote a message of 17 bytes, a slot has 16'",
    "255, 1, 0, 'the peer gave back 1 slots of its ring, it has 0 messages'",
    "255, 0, 0, 'the peer gave back 0 slots of its ring, it has 0 messages'",
  })
  void aPeerThatBreaksTheRulesEndsChannelAndConnection(
      int type, int number, int length, String error) {
    TestSubscriber<Buffer> messages = misbehave(immediate(type, number), length);

    messages.assertError(RingProtocolException.class).assertNoValues();
    messages.assertError(failure -> failure.getMessage().equals(error));
    Future<Void> late = reader.write(message(1));
    assertThat(Bench.failure(late)).isInstanceOf(RingProtocolException.class).hasMessage(error);
  }

  @Test
  void aPeerThatWritesWithoutAFreeSlotEndsTheChannelBeforeAnythingIsRead() {
    ring = Bench.get(InboxRing.allocate(pair.server().memory(), 2, SLOT));
    reader = RingChannel.over(pair.server(), ring, null);
    TestSubscriber<RingMessage> messages = reader.messages().test();

    for (int i = 0; i < 3; i++) {
      pair.client().writeImmediate(immediate(254, i % 2));
    }

    messages.awaitDone(20, TimeUnit.SECONDS).assertValueCount(2);
    messages.assertError(
        failure ->
            failure
                .getMessage()
                .equals("the peer wrote to slot 0 while none of the ring's 2 slots was free"));
    Bench.get(pair.client().closed());
  }

  @Test
  void messagesWithoutARingToReadOrToWriteToAreErrorsOfThePeersToo() {
    InboxRing atClient = Bench.get(InboxRing.allocate(pair.client().memory(), 2, SLOT));
    writer = RingChannel.over(pair.server(), null, atClient.descriptor());
    Future<Void> waiting = writer.write(message(0)).compose(done -> writer.write(message(1)));
    Bench.get(waiting);
    Future<Void> third = writer.write(message(2));

    pair.client().writeImmediate(immediate(254, 0));

    assertThat(Bench.failure(third))
        .isInstanceOf(RingProtocolException.class)
        .hasMessageContaining("there is no ring for it here");
  }

  @Test
  void aChannelNeedsARingThatIsItsOwnAndTheImmediates() {
    open(4);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChannel.over(pair.server(), null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChannel.over(pair.server(), ring, null))
        .withMessageContaining("has served a channel already");
    InboxRing other = Bench.get(InboxRing.allocate(pair.server().memory(), 4, SLOT));
    assertThatIllegalStateException()
        .isThrownBy(() -> RingChannel.over(pair.server(), other, null))
        .withMessageContaining("one subscriber at a time");
    assertThat(pair.server().isOpen()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> reader.write(message(1)));
    assertThatIllegalStateException().isThrownBy(() -> writer.messages());
  }

  @Test
  void aRingThatWasRefusedIsFreeForAnotherConnection() {
    InboxRing other = Bench.get(InboxRing.allocate(pair.server().memory(), 4, SLOT));
    TestSubscriber<Immediate> first = pair.server().immediates().test();
    assertThatIllegalStateException()
        .isThrownBy(() -> RingChannel.over(pair.server(), other, null));
    first.cancel();

    reader = RingChannel.over(pair.server(), other, null);
    writer = RingChannel.over(pair.client(), null, other.descriptor());
    TestSubscriber<Buffer> messages = reader.buffers().test();
    writer.write(message(1));

    messages.awaitCount(1);
  }

  @Test
  void aRingHasNoMoreSlotsThanTheFormatCounts() {
    ImmediateLayout small = ImmediateLayout.builder().field("kind", 2).field("slot", 3).build();
    RingFormat format = RingFormat.of(small, "kind", 1, 2, "slot");
    InboxRing eight = Bench.get(InboxRing.allocate(pair.server().memory(), 8, SLOT));
    InboxRing seven = Bench.get(InboxRing.allocate(pair.server().memory(), 7, SLOT));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChannel.over(pair.server(), eight, null, format, null))
        .withMessage("the inbox ring has 8 slots, the format's field \"slot\" counts up to 7");
    reader = RingChannel.over(pair.server(), seven, null, format, null);
    writer = RingChannel.over(pair.client(), null, seven.descriptor(), format, null);
    TestSubscriber<Buffer> messages = reader.buffers().test();

    Bench.get(Future.all(write(0, 30)));

    messages.awaitCount(30);
    assertThat(format.message(6)).isEqualTo(0b01_110L << 27);
    assertThat(format.credit(7)).isEqualTo(0b10_111L << 27);
  }

  @Test
  void aFormatHasTwoFieldsAndTwoTypes() {
    ImmediateLayout layout = ImmediateLayout.builder().field("kind", 2).field("slot", 3).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFormat.of(layout, "kind", 1, 1, "slot"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFormat.of(layout, "kind", 1, 2, "kind"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFormat.of(layout, "kind", 1, 4, "slot"))
        .withMessageContaining("0..3, was 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFormat.of(layout, "type", 1, 2, "slot"));
  }

  @ParameterizedTest(name = "{0} slots of {1} bytes")
  @CsvSource({"0, 16", "-1, 16", "4, 0", "4, -5", "65536, 65536", "2147483647, 2147483647"})
  void aRingHasASize(int slots, int slotSize) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InboxRing.allocate(pair.server().memory(), slots, slotSize));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RingDescriptor(new RemoteMemory(4096, 1, 100), slots, slotSize));
  }

  @Test
  void aDescriptorThatIsCutShortIsRefused() {
    Buffer encoded = new RingDescriptor(new RemoteMemory(4096, 1, 64), 4, SLOT).encode();

    assertThat(RingDescriptor.decode(encoded))
        .isEqualTo(new RingDescriptor(new RemoteMemory(4096, 1, 64), 4, SLOT));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingDescriptor.decode(encoded.slice(0, 23)))
        .withMessageContaining("24 bytes; 23 are there");
    assertThatIllegalArgumentException().isThrownBy(() -> RingDescriptor.decode(encoded, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingDescriptor.decode(Buffer.buffer(new byte[56])));
  }
}
