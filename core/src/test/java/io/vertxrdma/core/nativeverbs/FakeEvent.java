package io.vertxrdma.core.nativeverbs;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A CM event to script: set what matters, then {@link #enqueue()}.
 *
 * <p>Private data is padded with zeros to the whole field of the message (56 in a request, 196 in
 * an active ESTABLISHED, 148 in REJECTED), as InfiniBand and RoCE do, unless it is set with {@link
 * #exactPrivateData}.
 */
public final class FakeEvent {

  private final Consumer<FakeEvent> queue;
  int type;
  int status;
  int errno;
  FakeModel.Params params = new FakeModel.Params();
  boolean exact;
  FakeModel.Id id;
  FakeModel.Id listener;
  FakeModel.Id client;
  InetSocketAddress from = new InetSocketAddress("10.0.0.9", 5555);
  Runnable whenFetched = () -> {};
  long pointer;
  long data;

  FakeEvent(FakeModel.Id id, Consumer<FakeEvent> queue) {
    this.id = id;
    this.queue = queue;
  }

  /** The event number. */
  public FakeEvent type(int number) {
    type = number;
    return this;
  }

  /** The status: negative errno, positive protocol code, or -1 for a failure of the library. */
  public FakeEvent status(int number) {
    status = number;
    return this;
  }

  /** The errno that rdma_get_cm_event leaves although it returns 0; for a status of -1. */
  public FakeEvent errno(int number) {
    errno = number;
    return this;
  }

  /** Private data, padded to the field of the message. */
  public FakeEvent privateData(byte... bytes) {
    params.privateData = bytes.clone();
    exact = false;
    return this;
  }

  /** Private data that arrives with its own length, as on iWARP. */
  public FakeEvent exactPrivateData(byte... bytes) {
    params.privateData = bytes.clone();
    exact = true;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent responderResources(int value) {
    params.responderResources = value;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent initiatorDepth(int value) {
    params.initiatorDepth = value;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent flowControl(int value) {
    params.flowControl = value;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent retryCount(int value) {
    params.retryCount = value;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent rnrRetryCount(int value) {
    params.rnrRetryCount = value;
    return this;
  }

  /** The field of that name in the event. */
  public FakeEvent sharedReceiveQueue(boolean value) {
    params.srq = value ? 1 : 0;
    return this;
  }

  /** The peer's queue pair number. */
  public FakeEvent queuePairNumber(int value) {
    params.qpNumber = value;
    return this;
  }

  /** For a request: the peer's address. */
  public FakeEvent from(InetSocketAddress remote) {
    from = remote;
    return this;
  }

  /** Puts the event into the queue of its id's channel; its descriptor polls readable. */
  public void enqueue() {
    queue.accept(this);
  }

  /** The same event for another id. */
  FakeEvent copyFor(FakeModel.Id other, Consumer<FakeEvent> target) {
    FakeEvent copy = new FakeEvent(other, target);
    copy.type = type;
    copy.status = status;
    copy.errno = errno;
    copy.params = params.copy();
    copy.exact = exact;
    return copy;
  }

  /** Whether it has the datagram half of the union: an address handle instead of depths. */
  boolean isDatagram() {
    return id != null && id.portSpace == FakeDatagrams.UDP_PORT_SPACE;
  }

  /** The private data as the receiver sees it. */
  byte[] paddedData() {
    int field =
        switch (type) {
          case 4 -> listener != null && listener.portSpace == 0x0111 ? 180 : 56;
          case 7 -> isDatagram() ? 136 : 0;
          case 8 -> 148;
          case 9 -> id.passive ? 0 : isDatagram() ? 136 : 196;
          default -> 0;
        };
    boolean iwarp = id != null && id.device != null && id.device.isIwarp();
    return exact || iwarp || params.privateData.length >= field
        ? params.privateData
        : Arrays.copyOf(params.privateData, field);
  }
}
