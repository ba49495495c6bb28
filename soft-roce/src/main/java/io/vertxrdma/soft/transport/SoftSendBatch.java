package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.soft.wire.Headers;

/** A chain of send work requests. */
final class SoftSendBatch extends WorkRequestBatch implements SendBatch {

  private final SoftQueuePair queuePair;
  final SendOpcode[] opcodes;
  final int[] flags;
  final int[] immediates;
  final long[] remoteAddresses;
  final int[] remoteKeys;
  final long[] comparesOrAdds;
  final long[] swaps;
  final SoftAddressHandle[] handles;
  final int[] remoteQueuePairNumbers;
  final int[] remoteQueueKeys;

  SoftSendBatch(SoftQueuePair queuePair, int capacity, int scatterGather) {
    super(queuePair.engine, capacity, scatterGather);
    this.queuePair = queuePair;
    opcodes = new SendOpcode[capacity];
    flags = new int[capacity];
    immediates = new int[capacity];
    remoteAddresses = new long[capacity];
    remoteKeys = new int[capacity];
    comparesOrAdds = new long[capacity];
    swaps = new long[capacity];
    handles = new SoftAddressHandle[capacity];
    remoteQueuePairNumbers = new int[capacity];
    remoteQueueKeys = new int[capacity];
  }

  @Override
  public void add(
      long workRequestId,
      SendOpcode opcode,
      int requestFlags,
      int immediate,
      long remoteAddress,
      int remoteKey) {
    int at = addRequest(workRequestId);
    opcodes[at] = opcode;
    flags[at] = requestFlags;
    immediates[at] = immediate;
    remoteAddresses[at] = remoteAddress;
    remoteKeys[at] = remoteKey;
    comparesOrAdds[at] = 0;
    swaps[at] = 0;
    handles[at] = null;
  }

  @Override
  public void setAtomicOperands(long compareOrAdd, long swap) {
    int at = lastRequest();
    if (opcodes[at] != SendOpcode.ATOMIC_CMP_AND_SWP
        && opcodes[at] != SendOpcode.ATOMIC_FETCH_AND_ADD) {
      throw new IllegalStateException("the request added last is no atomic");
    }
    comparesOrAdds[at] = compareOrAdd;
    swaps[at] = swap;
  }

  @Override
  public void setUdAddress(
      AddressHandle addressHandle, int remoteQueuePairNumber, int remoteQueueKey) {
    int at = lastRequest();
    if (queuePair.type() != QueuePairType.UD) {
      throw new IllegalStateException(
          queuePair + " is of type " + queuePair.type() + ": only UD sends have an address");
    }
    if (!(addressHandle instanceof SoftAddressHandle handle)
        || handle.protectionDomain() != queuePair.domain) {
      throw new IllegalArgumentException(
          addressHandle + " is not of the protection domain of " + queuePair);
    }
    if (remoteQueuePairNumber < 0 || remoteQueuePairNumber > Headers.MASK_24) {
      throw new IllegalArgumentException(
          "a queue pair number must be 0.." + Headers.MASK_24 + ", was " + remoteQueuePairNumber);
    }
    handle.requireOpen();
    handles[at] = handle;
    remoteQueuePairNumbers[at] = remoteQueuePairNumber;
    remoteQueueKeys[at] = remoteQueueKey;
  }

  /** The bytes of a request. */
  long length(int index) {
    return ScatterList.total(lengths, index * scatterGather, elementCounts[index]);
  }

  /** Fills a request of the send queue. */
  void copyInto(SendRequest request, int index) {
    request.workRequestId = ids[index];
    request.opcode = opcodes[index];
    request.flags = flags[index];
    request.immediate = immediates[index];
    request.remoteAddress = remoteAddresses[index];
    request.remoteKey = remoteKeys[index];
    request.compareOrAdd = comparesOrAdds[index];
    request.swap = swaps[index];
    request.destination = handles[index] == null ? null : handles[index].destination();
    request.remoteQueuePairNumber = remoteQueuePairNumbers[index];
    request.remoteQueueKey = remoteQueueKeys[index];
    request.memory.set(addresses, lengths, keys, index * scatterGather, elementCounts[index]);
    request.length = request.memory.total();
  }

  @Override
  void requireTargetOpen() {
    queuePair.requireOpen();
  }

  @Override
  int submit(int index) {
    return queuePair.postSend(this, index);
  }

  @Override
  void submitted() {
    queuePair.transmit();
  }
}
