package io.vertxrdma.demos.logsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.demos.logsync.Greeting.Hello;
import io.vertxrdma.demos.logsync.Greeting.Welcome;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RemoteMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a greeting carries, and what a peer can't make of it. */
class GreetingTest {

  private static final RemoteMemory MEMORY = new RemoteMemory(0x10_0000, 7, 8 * 4_096);

  @Test
  void aGreetingFitsIntoThePrivateDataAndComesBack() {
    Hello hello = new Hello("a".repeat(Greeting.MAX_NAME), Greeting.MAX_WINDOW);
    assertThat(hello.encode().length()).isLessThanOrEqualTo(56);
    assertThat(Hello.decode(hello.encode())).isEqualTo(hello);

    Welcome welcome = new Welcome(MEMORY, 8, 4_096, 4_294_967_295L, Long.MAX_VALUE, -1);
    assertThat(welcome.encode().length()).isLessThanOrEqualTo(196);
    assertThat(Welcome.decode(welcome.encode(), 8)).isEqualTo(welcome);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", ".lock", "../x", "a/b", "a\\b", "a b", "a\nb", "a\0b"})
  void aNameThatIsNoPlainFileNameIsRefused(String name) {
    assertThatThrownBy(() -> Hello.decode(new Hello(name, 1).encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageStartingWith("a log's name has letters");
  }

  @Test
  void aNameIsLimitedInBytes() {
    assertThat(Greeting.objectionTo("ä".repeat(20))).isNull();
    assertThat(Greeting.objectionTo("ä".repeat(20) + "x"))
        .startsWith("a log's name has at most 40 bytes")
        .endsWith("has 41");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 4_097, Integer.MIN_VALUE})
  void aWindowOutOfRangeIsRefused(int window) {
    assertThatThrownBy(() -> Hello.decode(new Hello("log", window).encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("the window must be 1..4096 segments, was " + window);
  }

  @Test
  void aStrangerIsTold() {
    assertThatThrownBy(() -> Hello.decode(Buffer.buffer("GET / HTTP/1.1")))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("vertx-rdma logsync");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096, 0, 'slots must be 1..8, the server says 0'",
    "9, 4096, 0, 'slots must be 1..8, the server says 9'",
    "8, 0, 0, 'a slot must have 1..1048576 bytes, the server says 0'",
    "8, -1, 0, 'a slot must have 1..1048576 bytes, the server says -1'",
    "8, 1048577, 0, 'a slot must have 1..1048576 bytes, the server says 1048577'",
    "8, 4095, 0, '8 slots of 4095 bytes in 32768 bytes of memory'",
    "8, 4096, -1, 'the server has -1 bytes of the log'",
  })
  void aWelcomeThatContradictsItselfIsRefused(
      int slots, int slotSize, long durable, String message) {
    Buffer data = new Welcome(MEMORY, slots, slotSize, 0, durable, 0).encode();

    assertThatThrownBy(() -> Welcome.decode(data, 8))
        .isInstanceOf(ProtocolException.class)
        .hasMessage(message);
  }
}
