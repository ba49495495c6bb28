package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopbackQueueTest {

  private static final int BOUND = 4 << 20;

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
  private final LoopbackQueue queue = new LoopbackQueue(allocator, BOUND);

  @AfterEach
  void nothing_is_leaked() {
    queue.close();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  @Test
  void packets_come_in_order_each_after_its_length() {
    ByteBuffer padded = ByteBuffer.allocate(100).putInt(40, 7).position(40).limit(44);
    assertThat(queue.offer(padded)).isTrue();
    assertThat(queue.offer(ByteBuffer.allocate(8).putLong(0, 9))).isTrue();
    assertThat(queue.isWaiting()).isTrue();

    ByteBuf taken = queue.take();

    assertThat(padded.position()).isEqualTo(40);
    assertThat(queue.isWaiting()).isFalse();
    assertThat(taken.readInt()).isEqualTo(4);
    assertThat(taken.readInt()).isEqualTo(7);
    assertThat(taken.readInt()).isEqualTo(8);
    assertThat(taken.readLong()).isEqualTo(9);
    assertThat(taken.isReadable()).isFalse();
    queue.giveBack(taken);
  }

  @Test
  void what_is_put_while_something_is_taken_waits_for_the_next_time() {
    queue.offer(ByteBuffer.allocate(4).putInt(0, 1));
    ByteBuf first = queue.take();
    queue.offer(ByteBuffer.allocate(4).putInt(0, 2));
    assertThat(first.getInt(Integer.BYTES)).isEqualTo(1);
    assertThat(first.writerIndex()).isEqualTo(2 * Integer.BYTES);
    queue.giveBack(first);

    ByteBuf second = queue.take();
    assertThat(second.getInt(Integer.BYTES)).isEqualTo(2);
    queue.giveBack(second);
    assertThat(queue.take()).isNull();
  }

  @Test
  void it_is_bounded_and_a_burst_is_not_paid_for_ever() {
    ByteBuffer packet = ByteBuffer.allocate(4092);
    int taken = 0;
    while (queue.offer(packet)) {
      taken++;
    }
    assertThat(taken).isEqualTo(BOUND / 4096);
    assertThat(queue.offer(packet)).isFalse();
    queue.giveBack(queue.take());
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(queue.offer(packet)).isTrue();
  }

  @Test
  void once_closed_it_takes_nothing_and_keeps_nothing() {
    queue.offer(ByteBuffer.allocate(4));
    ByteBuf underWay = queue.take();
    queue.offer(ByteBuffer.allocate(4));
    queue.close();
    assertThat(queue.offer(ByteBuffer.allocate(4))).isFalse();
    assertThat(queue.isWaiting()).isFalse();
    assertThat(queue.take()).isNull();
    queue.giveBack(underWay);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }
}
