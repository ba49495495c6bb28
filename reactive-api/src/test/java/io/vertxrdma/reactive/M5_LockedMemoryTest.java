package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryLockException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class M5_LockedMemoryTest {

  private final Bench bench = new Bench();
  private RdmaMemory memory;

  @BeforeEach
  void connect() {
    bench.fake.memoryLockLimit(65_536);
    memory = bench.connection().memory();
  }

  @AfterEach
  void tearDown() {
    bench.close();
  }

  @Test
  void theErrorTellsSizeLimitAndRemedyAndASmallerOneWorks() {
    assertThat(Bench.failure(memory.allocate(1 << 20)))
        .isInstanceOf(MemoryLockException.class)
        .hasMessageContaining("1048576 bytes")
        .hasMessageContaining("RLIMIT_MEMLOCK")
        .hasMessageContaining("ulimit -l")
        .hasMessageContaining("IPC_LOCK");
    assertThat(bench.fake.live()).doesNotContainKey("memory regions");

    RegisteredBuffer small = Bench.get(memory.allocate(4096));
    assertThat(small.capacity()).isEqualTo(4096);
    assertThat(bench.fake.live()).containsEntry("memory regions", 1);
  }

  @Test
  void memoryThatWasGivenBackCanBeUsedAgain() {
    for (int i = 0; i < 20; i++) {
      Bench.get(Bench.get(memory.allocate(65_536)).close());
    }
    assertThat(bench.fake.live()).doesNotContainKey("memory regions");
  }

  @Test
  void registeringAndCopyingFailAlike() {
    ByteBuffer direct = ByteBuffer.allocateDirect(1 << 17);

    assertThat(Bench.failure(memory.register(direct, Set.of(AccessFlag.LOCAL_WRITE))))
        .isInstanceOf(MemoryLockException.class);
    assertThat(Bench.failure(memory.copyOf(Buffer.buffer(new byte[1 << 17]))))
        .isInstanceOf(MemoryLockException.class);
  }
}
