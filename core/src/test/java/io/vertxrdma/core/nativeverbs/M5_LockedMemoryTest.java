package io.vertxrdma.core.nativeverbs;

import static io.vertxrdma.core.AccessFlag.LOCAL_WRITE;
import static io.vertxrdma.core.AccessFlag.REMOTE_ATOMIC;
import static io.vertxrdma.core.AccessFlag.REMOTE_READ;
import static io.vertxrdma.core.AccessFlag.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.MemoryLockException;
import io.vertxrdma.core.MemoryRegion;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registering memory: the locked memory limit (case M5), and what is refused before (M6, M8). */
class M5_LockedMemoryTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @Test
  void beyond_the_limit_the_error_has_size_limit_and_what_to_do() {
    rig.domain();
    rig.fake.memoryLockLimit(64 * 1024);
    ByteBuffer large = ByteBuffer.allocateDirect(1 << 20);
    assertThatThrownBy(() -> rig.domain().register(large, Set.of(LOCAL_WRITE)))
        .isInstanceOf(MemoryLockException.class)
        .hasMessageContaining("1048576 bytes")
        .hasMessageContaining("Cannot allocate memory")
        .hasMessageContaining("RLIMIT_MEMLOCK")
        .hasMessageContaining(NativeErrors.lockedMemoryLimit())
        .hasMessageContaining("ulimit -l")
        .hasMessageContaining("IPC_LOCK")
        .extracting("code")
        .isEqualTo(12);
  }

  @Test
  void a_refused_registration_leaves_nothing_and_a_smaller_one_works() {
    rig.domain();
    rig.fake.memoryLockLimit(4096);
    ByteBuffer large = ByteBuffer.allocateDirect(4097);
    assertThatThrownBy(() -> rig.domain().register(large, Set.of(LOCAL_WRITE)))
        .isInstanceOf(MemoryLockException.class);
    assertThat(rig.fake.live()).doesNotContainKey("memory regions");
    MemoryRegion small =
        rig.closing(rig.domain().register(ByteBuffer.allocateDirect(4096), Set.of(LOCAL_WRITE)));
    assertThat(small.length()).isEqualTo(4096);
  }

  @Test
  void the_limit_is_read_from_the_process_limits(@TempDir Path directory) throws Exception {
    Path limits = directory.resolve("limits");
    Files.writeString(
        limits,
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max file size             unlimited            unlimited            bytes
        Max locked memory         65536                131072               bytes
        """);
    assertThat(NativeErrors.lockedMemoryLimit(limits)).isEqualTo("65536 bytes");
    assertThat(NativeErrors.lockedMemoryLimit(directory.resolve("none"))).startsWith("unknown");
  }

  @Test
  void exactly_the_bytes_from_position_to_limit_are_registered() {
    ByteBuffer memory = ByteBuffer.allocateDirect(1000).order(ByteOrder.LITTLE_ENDIAN);
    memory.putInt(100, 0x01020304);
    memory.position(100).limit(900);
    MemoryRegion region =
        rig.closing(
            rig.domain()
                .register(memory, Set.of(LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC)));
    FakeCall call = rig.fake.lastCall("ibv_reg_mr");
    assertThat(region.length()).isEqualTo(800);
    assertThat(call.argument(1)).isEqualTo(region.address());
    assertThat(call.argument(2)).isEqualTo(800);
    assertThat(call.argument(3)).isEqualTo(15);
    assertThat(region.buffer().order(ByteOrder.LITTLE_ENDIAN).getInt(0)).isEqualTo(0x01020304);
    assertThat(region.remoteKey()).as("high bit kept").isNegative();
    assertThat(region.localKey()).isPositive().isNotEqualTo(region.remoteKey());
  }

  @Test
  void what_can_not_be_registered_is_refused_before_any_native_call() {
    rig.domain();
    // availability() registered a page of its own to look at the struct.
    rig.fake.clearCalls();
    ByteBuffer direct = ByteBuffer.allocateDirect(16);
    assertThatThrownBy(() -> rig.domain().register(ByteBuffer.allocate(16), Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heap");
    assertThatThrownBy(() -> rig.domain().register(direct.duplicate().position(16), Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rig.domain().register(direct, Set.of(REMOTE_WRITE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LOCAL_WRITE");
    assertThatThrownBy(() -> rig.domain().register(direct, Set.of(REMOTE_ATOMIC)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LOCAL_WRITE");
    assertThatThrownBy(
            () ->
                rig.domain().register(direct.asReadOnlyBuffer(), Set.of(LOCAL_WRITE, REMOTE_WRITE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read-only");
    assertThat(rig.fake.calls("ibv_reg_mr")).isEmpty();
  }

  @Test
  void read_only_memory_can_be_registered_for_reading() {
    ByteBuffer memory = ByteBuffer.allocateDirect(16).asReadOnlyBuffer();
    MemoryRegion region = rig.closing(rig.domain().register(memory, Set.of(REMOTE_READ)));
    assertThat(rig.fake.lastCall("ibv_reg_mr").argument(3)).isEqualTo(4);
    assertThat(region.length()).isEqualTo(16);
  }

  @Test
  void the_region_keeps_its_memory_reachable() {
    ByteBuffer memory = ByteBuffer.allocateDirect(64);
    WeakReference<ByteBuffer> watched = new WeakReference<>(memory);
    MemoryRegion region = rig.closing(rig.domain().register(memory, Set.of(LOCAL_WRITE)));
    region.buffer().putLong(0, 0x1122334455667788L);
    memory = null;
    for (int i = 0; i < 10; i++) {
      System.gc();
    }
    // The slice holds on to the buffer it came from, and with it to the memory.
    assertThat(watched.get()).isNotNull();
    assertThat(region.buffer().getLong(0)).isEqualTo(0x1122334455667788L);
  }

  @Test
  void a_domain_with_regions_can_not_be_closed_and_says_why() {
    MemoryRegion region =
        rig.closing(rig.domain().register(ByteBuffer.allocateDirect(16), Set.of()));
    assertThatThrownBy(() -> rig.domain().close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 memory regions");
    assertThat(region.address()).isNotZero();
  }
}
