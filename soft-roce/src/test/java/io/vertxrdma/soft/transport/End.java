package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftDeviceOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One engine with a queue pair on it, and short ways to use it. */
final class End {

  /** A completion, copied. */
  record Completion(
      long id,
      int status,
      int opcode,
      int bytes,
      int flags,
      int immediate,
      int number,
      int source) {}

  static final int DEPTH = 512;
  private static final AccessFlag[] ALL = AccessFlag.values();

  final InetAddress address;
  final Engine engine;
  final SoftCounters counters = new SoftCounters();
  final FakeDevice device = new FakeDevice();
  final ProtectionDomain domain;
  CompletionQueue queue;
  SharedReceiveQueue shared;
  SoftQueuePair pair;
  QueuePairCapabilities capabilities = new QueuePairCapabilities(DEPTH, DEPTH, 4, 4, 128);
  boolean signalAll;
  private WorkCompletions completions;

  End(FakeNetwork network, String ip, SoftDeviceOptions options) {
    address = address(ip);
    engine = new Engine(network.link(address), network.timers, options, counters);
    domain = engine.allocateProtectionDomain(device);
    setQueue(
        engine.createCompletionQueue(Math.min(4096, options.maxCompletionQueueEntries()), null));
  }

  static InetAddress address(String ip) {
    try {
      return InetAddress.getByName(ip);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  void setQueue(CompletionQueue created) {
    queue = created;
    completions = created.allocate(64);
  }

  SoftQueuePair createPair() {
    return createPair(QueuePairType.RC);
  }

  SoftQueuePair createPair(QueuePairType type) {
    pair =
        engine.createQueuePair(
            domain, new QueuePairInit(type, queue, queue, shared, capabilities, signalAll));
    return pair;
  }

  /** Memory with all rights, or those given. */
  MemoryRegion memory(int size, AccessFlag... rights) {
    return domain.register(
        ByteBuffer.allocateDirect(size), Set.of(rights.length == 0 ? ALL : rights));
  }

  /** Memory with all rights, filled by a rule that no shift or cut leaves unnoticed. */
  MemoryRegion pattern(int size, int seed) {
    MemoryRegion region = memory(size);
    fill(region, 0, size, seed);
    return region;
  }

  static void fill(MemoryRegion region, int from, int length, int seed) {
    ByteBuffer buffer = region.buffer();
    for (int i = 0; i < length; i++) {
      buffer.put(from + i, patternByte(seed, i));
    }
  }

  static byte patternByte(int seed, int index) {
    return (byte) (seed * 31 + index * 7 + (index >> 8) * 13 + 1);
  }

  static byte[] bytes(MemoryRegion region, int from, int length) {
    byte[] bytes = new byte[length];
    region.buffer().get(from, bytes);
    return bytes;
  }

  static byte[] pattern(int length, int seed, int from) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = patternByte(seed, from + i);
    }
    return bytes;
  }

  /** Posts receives without memory, with ids from first on. */
  int receive(int count, long first) {
    try (ReceiveBatch batch = batch(count, 0)) {
      for (int i = 0; i < count; i++) {
        batch.add(first + i);
      }
      return batch.post();
    }
  }

  /** Posts a receive into memory. */
  int receiveInto(long id, MemoryRegion region, int offset, int length) {
    try (ReceiveBatch batch = batch(1, 1)) {
      batch.add(id);
      batch.addScatterGather(region.address() + offset, length, region.localKey());
      return batch.post();
    }
  }

  private ReceiveBatch batch(int count, int elements) {
    return shared != null
        ? shared.allocateReceiveBatch(count, elements)
        : pair.allocateReceiveBatch(count, elements);
  }

  /** A request of up to one piece of local memory; a null region or length 0 means none. */
  int post(
      long id,
      SendOpcode opcode,
      int flags,
      int immediate,
      MemoryRegion local,
      int offset,
      int length,
      long remoteAddress,
      int remoteKey) {
    try (SendBatch batch = pair.allocateSendBatch(1, 1)) {
      batch.add(id, opcode, flags, immediate, remoteAddress, remoteKey);
      if (local != null && length > 0) {
        batch.addScatterGather(local.address() + offset, length, local.localKey());
      }
      return batch.post();
    }
  }

  int write(long id, MemoryRegion from, int length, MemoryRegion to) {
    return post(
        id,
        SendOpcode.RDMA_WRITE,
        SendFlag.SIGNALED,
        0,
        from,
        0,
        length,
        to.address(),
        to.remoteKey());
  }

  int writeImmediate(long id, int immediate) {
    return post(id, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, immediate, null, 0, 0, 0, 0);
  }

  int writeImmediate(long id, int immediate, MemoryRegion from, int length, MemoryRegion to) {
    return post(
        id,
        SendOpcode.RDMA_WRITE_WITH_IMM,
        SendFlag.SIGNALED,
        immediate,
        from,
        0,
        length,
        to.address(),
        to.remoteKey());
  }

  int send(long id, MemoryRegion from, int length) {
    return post(id, SendOpcode.SEND, SendFlag.SIGNALED, 0, from, 0, length, 0, 0);
  }

  int read(long id, MemoryRegion into, int length, MemoryRegion from) {
    return post(
        id,
        SendOpcode.RDMA_READ,
        SendFlag.SIGNALED,
        0,
        into,
        0,
        length,
        from.address(),
        from.remoteKey());
  }

  int fetchAdd(long id, MemoryRegion result, long add, long address, int key) {
    return atomic(id, SendOpcode.ATOMIC_FETCH_AND_ADD, result, add, 0, address, key);
  }

  int compareSwap(long id, MemoryRegion result, long compare, long swap, long address, int key) {
    return atomic(id, SendOpcode.ATOMIC_CMP_AND_SWP, result, compare, swap, address, key);
  }

  private int atomic(
      long id,
      SendOpcode opcode,
      MemoryRegion result,
      long compareOrAdd,
      long swap,
      long address,
      int key) {
    try (SendBatch batch = pair.allocateSendBatch(1, 1)) {
      batch.add(id, opcode, SendFlag.SIGNALED, 0, address, key);
      batch.setAtomicOperands(compareOrAdd, swap);
      batch.addScatterGather(result.address(), 8, result.localKey());
      return batch.post();
    }
  }

  /** All completions that wait. */
  List<Completion> poll() {
    List<Completion> all = new ArrayList<>();
    while (queue.poll(completions) > 0) {
      for (int i = 0; i < completions.size(); i++) {
        all.add(
            new Completion(
                completions.workRequestId(i),
                completions.status(i),
                completions.opcode(i),
                completions.byteLength(i),
                completions.flags(i),
                completions.immediate(i),
                completions.queuePairNumber(i),
                completions.sourceQueuePair(i)));
      }
    }
    return all;
  }

  List<Integer> pollStatuses() {
    return poll().stream().map(Completion::status).toList();
  }

  List<Long> pollIds() {
    return poll().stream().map(Completion::id).toList();
  }

  AsyncEvent asyncEvent() {
    return engine.asyncEvents(device).poll();
  }

  long count(SoftCounters.Name name) {
    return counters.get(name);
  }
}
