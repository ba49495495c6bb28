package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;

/**
 * A link whose outgoing packets get lost, doubled, swapped, damaged or late; the same way each time
 * for the same seed and packets. For tests, of this library and of those who use it.
 */
public final class FaultInjection extends ForwardingLink {

  /**
   * How many packets were hit.
   *
   * @param dropped lost, by probability or filter
   * @param duplicated sent twice
   * @param reordered held back
   * @param corrupted damaged
   * @param delayed sent late
   */
  public record Injected(
      long dropped, long duplicated, long reordered, long corrupted, long delayed) {}

  /** How long a packet is held back when no others come that it could follow. */
  private static final long HOLD_NANOS = 3_000_000;

  private static final int MAX_HELD_BEHIND = 3;

  private final Timers timers;
  private final SplittableRandom random;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Held> held = new ArrayList<>();
  private volatile Faults faults;
  private volatile BiPredicate<InetAddress, ByteBuffer> filter = (destination, packet) -> true;
  private long dropped;
  private long duplicated;
  private long reordered;
  private long corrupted;
  private long delayed;
  private boolean closed;

  /** A packet held back; the others that must pass it first are counted down. */
  private static final class Held {
    private final InetAddress destination;
    private final ByteBuffer packet;
    private int behind;

    private Held(InetAddress destination, ByteBuffer packet, int behind) {
      this.destination = destination;
      this.packet = packet;
      this.behind = behind;
    }
  }

  /**
   * Wraps a link.
   *
   * @param link a {@link CorruptibleLink}, or damaged packets are just lost
   * @param timers for what is late
   * @param seed of the random numbers
   */
  public FaultInjection(Link link, Timers timers, long seed, Faults faults) {
    super(link);
    this.timers = timers;
    this.random = new SplittableRandom(seed);
    this.faults = faults;
  }

  /** Changes the probabilities, while running. */
  public void setFaults(Faults faults) {
    this.faults = faults;
  }

  /**
   * Loses exactly the packets that a test refuses; asked first, with packets that must stay as they
   * are. For "the third packet" instead of "a third of them".
   */
  public void setFilter(BiPredicate<InetAddress, ByteBuffer> passes) {
    this.filter = passes;
  }

  /** What happened so far. */
  public Injected injected() {
    lock.lock();
    try {
      return new Injected(dropped, duplicated, reordered, corrupted, delayed);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    Faults now = faults;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (!filter.test(destination, packet) || hits(now.drop())) {
        dropped++;
      } else {
        int copies = hits(now.duplicate()) ? 2 : 1;
        duplicated += copies - 1;
        for (int i = 0; i < copies; i++) {
          pass(now, destination, packet);
        }
      }
      releasePassed();
    } finally {
      lock.unlock();
    }
  }

  private boolean hits(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  private void pass(Faults now, InetAddress destination, ByteBuffer packet) {
    if (hits(now.corrupt())) {
      corrupted++;
      int bit = random.nextInt(Integer.MAX_VALUE);
      if (link() instanceof CorruptibleLink corruptible) {
        corruptible.sendCorrupted(destination, packet, bit);
      }
    } else if (hits(now.reorder())) {
      reordered++;
      Held holding = new Held(destination, copy(packet), 1 + random.nextInt(MAX_HELD_BEHIND) + 1);
      held.add(holding);
      timers.schedule(HOLD_NANOS, () -> release(holding));
    } else if (hits(now.delay())) {
      delayed++;
      ByteBuffer copy = copy(packet);
      timers.schedule(random.nextLong(now.maxDelayNanos() + 1), () -> sendLate(destination, copy));
    } else {
      super.send(destination, packet);
    }
  }

  private static ByteBuffer copy(ByteBuffer packet) {
    return ByteBuffer.allocate(packet.remaining()).put(packet.duplicate()).flip();
  }

  /** Counts down what is held back; a packet just put there doesn't count itself. */
  private void releasePassed() {
    for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
      Held holding = each.next();
      if (--holding.behind == 0) {
        each.remove();
        super.send(holding.destination, holding.packet);
      }
    }
  }

  private void release(Held holding) {
    lock.lock();
    try {
      if (!held.remove(holding)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    sendLate(holding.destination, holding.packet);
  }

  private void sendLate(InetAddress destination, ByteBuffer packet) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      super.send(destination, packet);
    } finally {
      lock.unlock();
    }
    flush();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      held.clear();
    } finally {
      lock.unlock();
    }
    super.close();
  }
}
