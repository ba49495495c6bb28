package io.vertxrdma.demos.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids, layouts and greetings, without RDMA. */
class RpcRulesTest {

  private static final RemoteMemory MEMORY = new RemoteMemory(0x10_0000, 7, 8 * 4_096);

  @Test
  void openCallsHaveSlotsOfTheirOwn() {
    CallIds ids = new CallIds(3);

    Set<Integer> slots = Set.of(ids.slot(ids.take()), ids.slot(ids.take()), ids.slot(ids.take()));

    assertThat(slots).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(ids.free()).isZero();
    assertThatThrownBy(ids::take)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("all 3 slots are in use");
  }

  @Test
  void aSlotIsUsedUnderAnotherIdEachTime() {
    CallIds ids = new CallIds(2);
    Set<Integer> seen = new HashSet<>();

    for (int i = 0; i < 10_000; i++) {
      int id = ids.take();
      assertThat(seen.add(id)).as("id %d is new", id).isTrue();
      ids.giveBack(id);
    }
  }

  @Test
  void idsStayWithin24BitsWhenAllAreUsedUp() {
    // As many slots as leave few turns.
    CallIds ids = new CallIds(RpcOptions.MAX_SLOTS);
    int first = ids.take();
    ids.giveBack(first);
    int most = first;
    for (int i = 1; i < 1 << 24; i++) {
      int id = ids.take();
      most = Math.max(most, id);
      ids.giveBack(id);
    }

    assertThat(most).isEqualTo((1 << 24) - 1);
    assertThat(ids.take()).isEqualTo(first);
  }

  @Test
  void anImmediateCarriesOpcodeAndCall() {
    long immediate = RpcWire.immediate(255, 0xFF_FFFF);

    assertThat(immediate).isEqualTo(0xFFFF_FFFFL);
    assertThat(RpcWire.immediate(3, 0x01_0203)).isEqualTo(0x0301_0203L);
    assertThat(RpcWire.OPCODE.get(0x0301_0203L)).isEqualTo(3);
    assertThat(RpcWire.CALL.get(0x0301_0203L)).isEqualTo(0x01_0203);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 256})
  void anOpcodeOutOfRangeIsRefused(int opcode) {
    assertThatThrownBy(() -> RpcWire.checkOpcode(opcode))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an opcode is 1..255, was " + opcode);
  }

  @Test
  void anErrorIsCutToASlotButNotWithinACharacter() {
    Buffer error = RpcWire.error(-7, "ä".repeat(100), 64);

    assertThat(error.length()).isEqualTo(64);
    RpcException read = RpcWire.error(error);
    assertThat(read.code()).isEqualTo(-7);
    assertThat(read).hasMessage("ä".repeat(30));
    assertThat(RpcWire.error(RpcWire.error(5, "ä".repeat(100), 65))).hasMessage("ä".repeat(30));
    assertThat(RpcWire.error(RpcWire.error(5, null, 64))).hasMessage("null");
  }

  @Test
  void anErrorWithoutACodeIsAViolation() {
    assertThatThrownBy(() -> RpcWire.error(Buffer.buffer("abc")))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("an error of only 3 bytes");
  }

  @Test
  void greetingsComeBack() {
    RpcGreeting greeting = new RpcGreeting(MEMORY, 8, 4_096);

    assertThat(RpcGreeting.ofRequest(greeting.encodeRequest())).isEqualTo(greeting);
    assertThat(RpcGreeting.ofReply(greeting.encodeReply(), 8)).isEqualTo(greeting);
    assertThatThrownBy(() -> RpcGreeting.ofRequest(greeting.encodeReply()))
        .isInstanceOf(HandshakeException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096, 'slots must be 1..4096, was 0'",
    "-8, 4096, 'slots must be 1..4096, was -8'",
    "4097, 4096, 'slots must be 1..4096, was 4097'",
    "8, 63, 'the size of 8 slots must be 64..1048576, was 63'",
    "8, 1048577, 'the size of 8 slots must be 64..1048576, was 1048577'",
    "4096, 65537, 'the size of 4096 slots must be 64..65536, was 65537'",
    "8, 4095, '8 slots of 4095 bytes in 32768 bytes of memory'",
  })
  void impossibleMemoryIsRefused(int slots, int slotSize, String message) {
    Buffer data = new RpcGreeting(MEMORY, slots, slotSize).encodeRequest();

    assertThatThrownBy(() -> RpcGreeting.ofRequest(data))
        .isInstanceOf(ProtocolException.class)
        .hasMessage(message);
  }

  @Test
  void aServerThatGrantsMoreSlotsThanWereAskedForIsRefused() {
    Buffer data = new RpcGreeting(MEMORY, 8, 4_096).encodeReply();

    assertThatThrownBy(() -> RpcGreeting.ofReply(data, 7))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("slots must be 1..7, the server says 8");
  }

  @Test
  void aGreetingOfAnotherLengthIsRefused() {
    Buffer shorter = new RpcGreeting(MEMORY, 8, 4_096).encodeRequest();
    // The length of the application's bytes, see Handshake.
    shorter.setByte(11, (byte) 23);

    assertThatThrownBy(() -> RpcGreeting.ofRequest(shorter))
        .isInstanceOfAny(ProtocolException.class, HandshakeException.class);
    assertThatThrownBy(
            () ->
                RpcGreeting.ofRequest(
                    Buffer.buffer("nonsense".getBytes(StandardCharsets.US_ASCII))))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("vertx-rdma rpc");
  }
}
