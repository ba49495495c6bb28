package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@code rdma_event_channel}: copies each event, acknowledges it, and only then hands it out.
 *
 * <p>Polling and closing exclude each other, since librdmacm reads the channel's memory while it
 * fetches an event.
 */
final class NativeEventChannel extends NativeObject implements CmEventChannel {

  private static final Logger log = LoggerFactory.getLogger(NativeEventChannel.class);
  private static final String IDS = "cm ids";

  private final NativeRuntime runtime;
  private final int fileDescriptor;
  private final Memory.Arena eventOut = Memory.arena(Long.BYTES);
  // rdma_get_cm_event moves the queue pair of an answered id through its states, and no lock of
  // librdmacm keeps another thread from destroying that queue pair meanwhile.
  private final ReentrantLock queuePairs = new ReentrantLock();

  private NativeEventChannel(NativeRuntime runtime, long pointer, int fileDescriptor) {
    super(runtime.calls, "cm event channel (fd " + fileDescriptor + ")", pointer);
    this.runtime = runtime;
    this.fileDescriptor = fileDescriptor;
  }

  static NativeEventChannel create(NativeRuntime runtime) {
    NativeCalls calls = runtime.calls;
    long pointer = calls.rdma_create_event_channel();
    if (pointer == 0) {
      throw RdmaException.ofErrno("rdma_create_event_channel", calls.errno());
    }
    int fd = Memory.getInt(pointer + Layout.CHANNEL_FD);
    try {
      Descriptors.setNonBlocking(calls, fd);
      return new NativeEventChannel(runtime, pointer, fd);
    } catch (RuntimeException failure) {
      calls.rdma_destroy_event_channel(pointer);
      throw failure;
    }
  }

  @Override
  public int fileDescriptor() {
    pointer();
    return fileDescriptor;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    // The descriptor tells.
  }

  @Override
  public synchronized CmEvent poll() {
    while (true) {
      int result;
      int errno;
      if (!queuePairs.tryLock()) {
        // A worker destroys a queue pair, for milliseconds at most. An event loop must not wait for
        // that; the descriptor stays readable.
        return null;
      }
      try {
        result = calls.rdma_get_cm_event(pointer(), eventOut.address());
        // At once: for a status of -1 the cause is only here, and the next call overwrites it.
        errno = calls.errno();
      } finally {
        queuePairs.unlock();
      }
      if (result != 0) {
        if (errno == Errno.EAGAIN.number()) {
          return null;
        }
        if (errno != Errno.EINTR.number()) {
          throw RdmaException.ofErrno("rdma_get_cm_event", errno);
        }
      } else {
        CmEvent event = take(Memory.getLong(eventOut.address()), errno);
        if (event != null) {
          return event;
        }
      }
    }
  }

  /** Copies and acknowledges; null for an event of an id that is closed. */
  private CmEvent take(long event, int errno) {
    int rawType = Memory.getInt(event + Layout.EVENT_TYPE);
    int status = Memory.getInt(event + Layout.EVENT_STATUS);
    long idAt = Memory.getLong(event + Layout.EVENT_ID);
    boolean request = rawType == CmEventType.CONNECT_REQUEST.code();
    NativeCmId listener =
        request ? runtime.id(Memory.getLong(event + Layout.EVENT_LISTEN_ID)) : null;
    NativeCmId id = null;
    CmEvent copy = null;
    try {
      id = request ? child(listener, idAt) : runtime.id(idAt);
      if (id != null) {
        copy =
            new CmEvent(
                rawType,
                status,
                status == -1 ? errno : 0,
                id,
                listener,
                ConnParams.ofEvent(event, CmEventType.of(rawType), id.portSpace()),
                ConnParams.udParam(event, CmEventType.of(rawType), id.portSpace()));
      }
    } finally {
      if (calls.rdma_ack_cm_event(event) != 0) {
        log.warn("{}", RdmaException.ofErrno("rdma_ack_cm_event", calls.errno()).getMessage());
      }
    }
    if (id == null) {
      log.debug("dropped event {} with status {} of a closed cm id", rawType, status);
      if (request) {
        // Nobody else knows the new id; destroying it rejects the peer.
        calls.rdma_destroy_id(idAt);
      }
    }
    return copy;
  }

  private static NativeCmId child(NativeCmId listener, long pointer) {
    return listener == null ? null : listener.adopt(pointer);
  }

  @Override
  public CmId createId(PortSpace portSpace) {
    Objects.requireNonNull(portSpace, "portSpace");
    acquireId();
    try (Memory.Block idOut = Memory.allocate(Long.BYTES)) {
      int result = calls.rdma_create_id(pointer(), idOut.address(), 0, portSpace.code());
      NativeErrors.check(calls, "rdma_create_id", result, "");
      return new NativeCmId(runtime, this, Memory.getLong(idOut.address()), portSpace);
    } catch (RuntimeException failure) {
      releaseId();
      throw failure;
    }
  }

  /** Destroys the queue pair of an id of this channel; waits while an event is being fetched. */
  void destroyQueuePair(long id) {
    queuePairs.lock();
    try {
      calls.rdma_destroy_qp(id);
    } finally {
      queuePairs.unlock();
    }
  }

  /** Counts an id; from now on the channel can't be closed. */
  void acquireId() {
    users.acquire(IDS);
  }

  void releaseId() {
    users.release(IDS);
  }

  @Override
  public int liveIds() {
    return users.count(IDS);
  }

  @Override
  void destroy(long address) {
    calls.rdma_destroy_event_channel(address);
  }
}
