package io.vertxrdma.reactive;

import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.reactive.RegisteredBuffer.Slice;
import java.util.List;
import java.util.Objects;

/**
 * One operation of a connection's send queue ({@code struct ibv_send_wr}), to be posted with {@link
 * RdmaConnection#post} or {@link RdmaConnection#postAll}.
 *
 * <p>Immutable; it can be posted again and again. Local memory is given as slices, which are
 * gathered from or scattered to in the order given; how many one request may have is {@link
 * RdmaOptions#getMaxScatterGather()}. A message has at most 2147483647 bytes here (IBTA volume 1,
 * 9.7.4.1.4, allows one more).
 */
public final class WorkRequest {

  private static final Slice[] NONE = {};

  private final SendOpcode opcode;
  private final List<Slice> slices;
  private final int length;
  private final long remoteAddress;
  private final int remoteKey;
  private final int immediate;
  private final long compareOrAdd;
  private final long swap;
  private final int flags;

  private WorkRequest(
      SendOpcode opcode,
      Slice[] slices,
      int length,
      RemoteMemory remote,
      int immediate,
      long compareOrAdd,
      long swap) {
    this.opcode = opcode;
    // Made once: a request is asked for it several times each time it is posted.
    this.slices = List.of(slices);
    this.length = length;
    this.remoteAddress = remote == null ? 0 : remote.address();
    this.remoteKey = remote == null ? 0 : remote.key();
    this.immediate = immediate;
    this.compareOrAdd = compareOrAdd;
    this.swap = swap;
    this.flags = 0;
  }

  private WorkRequest(WorkRequest other, int flags) {
    this.opcode = other.opcode;
    this.slices = other.slices;
    this.length = other.length;
    this.remoteAddress = other.remoteAddress;
    this.remoteKey = other.remoteKey;
    this.immediate = other.immediate;
    this.compareOrAdd = other.compareOrAdd;
    this.swap = other.swap;
    this.flags = flags;
  }

  /**
   * Writes to the peer's memory; the peer's application is not told.
   *
   * @param target at least as long as the sources together; may be null when they have no bytes
   * @param sources gathered in this order; none writes nothing
   * @throws IllegalArgumentException when the target is too short
   */
  public static WorkRequest write(RemoteMemory target, Slice... sources) {
    return remote(SendOpcode.RDMA_WRITE, target, 0, sources);
  }

  /**
   * Writes to the peer's memory and hands it an immediate, which uses up one of its receives.
   *
   * @param target at least as long as the sources together; may be null when they have no bytes
   * @param immediate 0..4294967295
   * @param sources gathered in this order; none hands over the immediate alone
   * @throws IllegalArgumentException when the target is too short or the immediate out of range
   */
  public static WorkRequest writeWithImmediate(
      RemoteMemory target, long immediate, Slice... sources) {
    return remote(
        SendOpcode.RDMA_WRITE_WITH_IMM, target, ImmediateData.ofUnsigned(immediate), sources);
  }

  /**
   * Sends a message into a receive of the peer, which has to be long enough: see {@link
   * RdmaOptions#getReceiveBufferSize()} and {@link RdmaConnection#messages()}.
   *
   * @param sources gathered in this order
   */
  public static WorkRequest send(Slice... sources) {
    Slice[] own = checked(sources);
    return new WorkRequest(SendOpcode.SEND, own, sum(own), null, 0, 0, 0);
  }

  /**
   * Sends a message with an immediate; see {@link #send}.
   *
   * @param immediate 0..4294967295
   * @throws IllegalArgumentException for an immediate out of range
   */
  public static WorkRequest sendWithImmediate(long immediate, Slice... sources) {
    Slice[] own = checked(sources);
    int value = ImmediateData.ofUnsigned(immediate);
    return new WorkRequest(SendOpcode.SEND_WITH_IMM, own, sum(own), null, value, 0, 0);
  }

  /**
   * Reads the peer's memory. Posting it needs an initiator depth of 1 or more, see {@link
   * RdmaConnection#negotiated()}; what goes beyond that depth waits in the device.
   *
   * @param source at least as long as the targets together
   * @param targets scattered to in this order; memory with LOCAL_WRITE
   * @throws IllegalArgumentException when the source is too short
   */
  public static WorkRequest read(RemoteMemory source, Slice... targets) {
    return remote(SendOpcode.RDMA_READ, source, 0, targets);
  }

  /**
   * Adds to 8 bytes of the peer's memory, a 64-bit number in its byte order, and brings what was
   * there before. Needs an initiator depth like {@link #read}.
   *
   * @param target 8 bytes or more, at an address that 8 divides; its owner gave REMOTE_ATOMIC
   * @param add wraps around
   * @param result 8 bytes with LOCAL_WRITE for the former value, in this machine's byte order
   * @throws IllegalArgumentException when target or result do not fit
   */
  public static WorkRequest fetchAndAdd(RemoteMemory target, long add, Slice result) {
    checkAtomic(target, result);
    return new WorkRequest(
        SendOpcode.ATOMIC_FETCH_AND_ADD, new Slice[] {result}, Long.BYTES, target, 0, add, 0);
  }

  /**
   * Replaces 8 bytes of the peer's memory if they have the value expected, and brings what was
   * there before. Needs an initiator depth like {@link #read}.
   *
   * @param target 8 bytes or more, at an address that 8 divides; its owner gave REMOTE_ATOMIC
   * @param result 8 bytes with LOCAL_WRITE for the former value, in this machine's byte order
   * @throws IllegalArgumentException when target or result do not fit
   */
  public static WorkRequest compareAndSwap(
      RemoteMemory target, long expected, long replacement, Slice result) {
    checkAtomic(target, result);
    return new WorkRequest(
        SendOpcode.ATOMIC_CMP_AND_SWP,
        new Slice[] {result},
        Long.BYTES,
        target,
        0,
        expected,
        replacement);
  }

  private static WorkRequest remote(
      SendOpcode opcode, RemoteMemory remote, int immediate, Slice... slices) {
    Slice[] own = checked(slices);
    int length = sum(own);
    if (length > 0 && (remote == null || remote.length() < length)) {
      boolean reads = opcode == SendOpcode.RDMA_READ;
      throw new IllegalArgumentException(
          "the "
              + (reads ? "target" : "source")
              + " has "
              + length
              + " bytes, the "
              + (reads ? "source " : "target ")
              + (remote == null ? "none" : remote.length()));
    }
    return new WorkRequest(opcode, own, length, length == 0 ? null : remote, immediate, 0, 0);
  }

  private static void checkAtomic(RemoteMemory target, Slice result) {
    target.checkAtomic();
    if (checked(new Slice[] {result})[0].length() != Long.BYTES) {
      throw new IllegalArgumentException(
          "the result of an atomic operation has 8 bytes, the slice " + result.length());
    }
  }

  private static Slice[] checked(Slice[] slices) {
    if (slices.length == 0) {
      return NONE;
    }
    Slice[] own = slices.clone();
    for (Slice slice : own) {
      // Anybody can make a slice.
      Objects.checkFromIndexSize(slice.offset(), slice.length(), slice.buffer().capacity());
    }
    return own;
  }

  private static int sum(Slice[] slices) {
    long sum = 0;
    for (Slice slice : slices) {
      sum += slice.length();
    }
    if (sum > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a message has at most " + Integer.MAX_VALUE + " bytes, the slices have " + sum);
    }
    return (int) sum;
  }

  /**
   * The same, but it starts only when all READs and atomic operations before it have completed
   * ({@code IBV_SEND_FENCE}): for data that one of them brings.
   */
  public WorkRequest fenced() {
    return new WorkRequest(this, flags | SendFlag.FENCE);
  }

  /** The operation. */
  public SendOpcode opcode() {
    return opcode;
  }

  /** Local memory, in order. */
  public List<Slice> slices() {
    return slices;
  }

  /** Bytes of all slices. */
  public int length() {
    return length;
  }

  /** Where at the peer; 0 when it names no memory. */
  public long remoteAddress() {
    return remoteAddress;
  }

  /** The peer's key; 0 when it names no memory. */
  public int remoteKey() {
    return remoteKey;
  }

  /** The immediate, 0..4294967295; 0 when the operation has none. */
  public long immediate() {
    return Integer.toUnsignedLong(immediate);
  }

  /** What is added, or what is expected; 0 when the operation is not atomic. */
  public long compareOrAdd() {
    return compareOrAdd;
  }

  /** The replacement of a compare-and-swap, else 0. */
  public long swap() {
    return swap;
  }

  /** Whether it waits for READs and atomic operations before it. */
  public boolean isFenced() {
    return (flags & SendFlag.FENCE) != 0;
  }

  /** Whether it uses room for READs and atomic operations at the peer. */
  public boolean needsInitiatorDepth() {
    return switch (opcode) {
      case RDMA_READ, ATOMIC_FETCH_AND_ADD, ATOMIC_CMP_AND_SWP -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return opcode + " of " + length + " bytes" + (isFenced() ? ", fenced" : "");
  }
}
