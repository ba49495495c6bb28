package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.Qp;
import io.vertxrdma.core.nativeverbs.FakeModel.Send;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * How tests drive the fake: scripted failures, events, completions, and what was seen. All methods
 * may be called from any thread. Pointers of ids come from {@link #ids()}, {@link #listenerOn} or
 * {@link #idOfQueuePair}; queue pairs are named by their number.
 */
public abstract class FakeScripting extends FakeObservation implements AutoCloseable {

  FakeScripting() {}

  // devices

  /** The device of that name, made when it is not there. */
  public FakeDevice device(String name) {
    synchronized (lock) {
      return devices.computeIfAbsent(name, key -> new FakeDevice(key, memory, abi, devices.size()));
    }
  }

  /** Takes all devices away before anything uses them: no RDMA on this machine. */
  public FakeNativeCalls noDevices() {
    devices.clear();
    return self();
  }

  /** Removes a device: DEVICE_REMOVAL for every id on it, rdma_disconnect answers ENXIO. */
  public FakeNativeCalls removeDevice(String name) {
    synchronized (lock) {
      FakeDevice device = devices.get(name);
      device.remove();
      model.ids.values().stream()
          .filter(id -> id.device == device)
          .forEach(id -> new FakeEvent(id, events::enqueue).type(11).enqueue());
      return self();
    }
  }

  // the library's answers

  /** The next call of the function fails with that errno, by the function's own convention. */
  public FakeNativeCalls failNext(String function, int errno) {
    if (function.startsWith("post_")) {
      return refusePost(function, 0, errno, errno);
    }
    scripts.next(function, FakeScripts.failure(function, errno));
    return self();
  }

  /** The next calls of the function fail. */
  public FakeNativeCalls failNext(String function, int errno, int times) {
    for (int i = 0; i < times; i++) {
      failNext(function, errno);
    }
    return self();
  }

  /** The next call returns exactly this value and leaves exactly this errno; nothing is done. */
  public FakeNativeCalls nextResult(String function, long value, int errno) {
    if (function.startsWith("post_")) {
      return refusePost(function, 0, (int) value, errno);
    }
    scripts.next(function, new FakeScripts.Outcome(value, errno));
    return self();
  }

  /**
   * The next post takes this many requests of the chain, then returns the value and sets bad_wr.
   *
   * @param function post_send, post_recv or post_srq_recv
   */
  public FakeNativeCalls refusePost(String function, int accepted, int value, int errno) {
    scripts.refuse(function, new FakeScripts.Refusal(accepted, value, errno));
    return self();
  }

  /** Runs the action, in the calling thread, before each call of the function; it may block. */
  public FakeNativeCalls before(String function, Consumer<FakeCall> action) {
    scripts.always(
        function,
        call -> {
          action.accept(call);
          return null;
        });
    return self();
  }

  /** Runs the action, in the calling thread, after each call of the function. */
  public FakeNativeCalls after(String function, Consumer<FakeCall> action) {
    scripts.after(function, action);
    return self();
  }

  /** Answers each call of the function with a value of the test's own and that errno. */
  public FakeNativeCalls onCall(String function, ToLongFunction<FakeCall> answer, int errno) {
    scripts.always(function, call -> new FakeScripts.Outcome(answer.applyAsLong(call), errno));
    return self();
  }

  /** Ends {@link #before}, {@link #after} and {@link #onCall} for the function. */
  public FakeNativeCalls asUsual(String function) {
    scripts.always(function, null);
    scripts.after(function, null);
    events.forgetReply(function);
    return self();
  }

  /** The library has no such symbol. */
  public FakeNativeCalls missingSymbol(String name) {
    addMissing(name);
    return self();
  }

  /** Plays a library whose struct field, named as in {@code rdma_cm_id.context}, lies elsewhere. */
  public FakeNativeCalls misplace(String field, int offset) {
    abi.move(field, offset);
    return self();
  }

  // CM events

  /** An event for an id, or for one that is destroyed already; see {@link FakeEvent}. */
  public FakeEvent event(long idPointer) {
    synchronized (lock) {
      return new FakeEvent(anyId(idPointer), events::enqueue);
    }
  }

  private Id anyId(long pointer) {
    Id id = model.ids.getOrDefault(pointer, model.destroyed.get(pointer));
    if (id == null) {
      throw new IllegalArgumentException("no id 0x" + Long.toHexString(pointer));
    }
    return id;
  }

  /** A CONNECT_REQUEST for a listener; its new id is made when the event is fetched. */
  public FakeEvent incomingRequest(long listenerPointer) {
    synchronized (lock) {
      return peers.request(anyId(listenerPointer));
    }
  }

  /**
   * What a successful rdma_resolve_addr, rdma_resolve_route, rdma_connect, rdma_accept or
   * rdma_disconnect leads to from now on, instead of its usual event.
   */
  public FakeEvent replyTo(String function) {
    FakeEvent template =
        new FakeEvent(
            null,
            event -> {
              throw new IllegalStateException("a reply is queued when its function is called");
            });
    events.onReply(function, template);
    return template;
  }

  /** No event follows the function any more. */
  public FakeNativeCalls silence(String function) {
    events.onReply(function, null);
    return self();
  }

  // completions

  /** Uses up a receive as a peer's write with immediate does. */
  public FakeNativeCalls completeReceiveWithImm(int number, int immediate, int byteLength) {
    return completeReceive(number, 0, 129, byteLength, immediate, 2);
  }

  /** Uses up a receive with any outcome; a status other than 0 takes the queue pair to ERR. */
  public FakeNativeCalls completeReceive(
      int number, int status, int opcode, int byteLength, int immediate, int flags) {
    synchronized (lock) {
      Qp qp = model.qpByNumber(number);
      FakeModel.Receive receive = qp.receiveQueue().poll();
      if (receive == null) {
        throw new IllegalStateException("no receive is posted on queue pair " + number);
      }
      data.completeReceive(qp, receive, status, opcode, byteLength, immediate, flags);
      if (status != 0) {
        data.toError(qp);
      }
      return self();
    }
  }

  /** Posted sends stay in the queue until {@link #completeSends}. */
  public FakeNativeCalls holdSends(boolean hold) {
    synchronized (lock) {
      holdSends = hold;
      List.copyOf(model.qps.values()).forEach(data::progress);
      return self();
    }
  }

  /** Completes the oldest held sends; a status other than 0 takes the queue pair to ERR. */
  public FakeNativeCalls completeSends(int number, int count, int status) {
    synchronized (lock) {
      Qp qp = model.qpByNumber(number);
      List<Send> waiting = qp.sends.stream().filter(send -> !send.done).limit(count).toList();
      waiting.forEach(send -> data.complete(qp, send, status));
      return self();
    }
  }

  /** Takes a queue pair to ERR as the device would; what is posted is flushed. */
  public FakeNativeCalls breakQueuePair(int number) {
    synchronized (lock) {
      data.toError(model.qpByNumber(number));
      return self();
    }
  }

  /** Queues an asynchronous event about a queue pair, CQ or SRQ pointer, or a port number. */
  public FakeNativeCalls asyncEvent(String deviceName, int type, long element) {
    synchronized (lock) {
      async(devices.get(deviceName), element, type);
      return self();
    }
  }

  // behaviour

  /** Bind and resolve only work for addresses that a device has. */
  public FakeNativeCalls strictAddresses() {
    strictAddresses = true;
    return self();
  }

  /** Connecting to where no id of this fake listens is REJECTED with reason 8. */
  public FakeNativeCalls loopbackOnly() {
    loopbackOnly = true;
    return self();
  }

  /** TIMEWAIT_EXIT follows DISCONNECTED. */
  public FakeNativeCalls timewaitExit() {
    timewaitExit = true;
    return self();
  }

  /** Queues get 2^n - 1 entries, as rxe gives; without it what was asked for. */
  public FakeNativeCalls roundCapacities() {
    roundCapacities = true;
    return self();
  }

  /** Receives posted in ERR are flushed; without it they are swallowed, as rxe does. */
  public FakeNativeCalls flushReceivesPostedInError() {
    flushReceivesPostedInError = true;
    return self();
  }

  /** RLIMIT_MEMLOCK: beyond it ibv_reg_mr answers ENOMEM. */
  public FakeNativeCalls memoryLockLimit(long bytes) {
    memoryLockLimit = bytes;
    return self();
  }

  /** How long a destroy waits for acknowledgements before it counts as hung; 2 s at first. */
  public FakeNativeCalls destroyPatience(Duration time) {
    patience = time;
    return self();
  }

  /** Runs the garbage collector inside connect, accept and reject before memory is read. */
  public FakeNativeCalls collectGarbageDuringCalls() {
    garbageCollection = true;
    return self();
  }

  /** Closes the fake's descriptors and frees its memory; nothing may use it afterwards. */
  @Override
  public void close() {
    synchronized (lock) {
      model.channels.values().forEach(channel -> channel.descriptor.close());
      model.compChannels.values().forEach(channel -> channel.descriptor.close());
      devices.values().forEach(device -> device.async.close());
      devices.values().forEach(device -> device.command.close());
      if (violationList().isEmpty() && model.live().isEmpty()) {
        // Otherwise someone may still have pointers: a leak is better than a crash of the tests.
        memory.close();
      }
    }
  }
}
