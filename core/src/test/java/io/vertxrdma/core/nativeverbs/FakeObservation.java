package io.vertxrdma.core.nativeverbs;

import java.util.List;
import java.util.Map;

/** What tests can ask the fake: which objects there are, which calls came, what was wrong. */
public abstract class FakeObservation extends FakeEngine {

  FakeObservation() {}

  FakeNativeCalls self() {
    return (FakeNativeCalls) this;
  }

  // finding things

  /** The live ids in the order of their making. */
  public List<Long> ids() {
    synchronized (lock) {
      return List.copyOf(model.ids.keySet());
    }
  }

  /** The live id made last. */
  public long lastId() {
    List<Long> ids = ids();
    return ids.get(ids.size() - 1);
  }

  /** The id that listens on a port. */
  public long listenerOn(int port) {
    synchronized (lock) {
      return model.ids.values().stream()
          .filter(id -> id.state == FakeModel.State.LISTENING && id.local.getPort() == port)
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("nobody listens on " + port))
          .pointer;
    }
  }

  /** The id a queue pair belongs to. */
  public long idOfQueuePair(int number) {
    synchronized (lock) {
      return model.qpByNumber(number).id.pointer;
    }
  }

  /** The pointer of a queue pair, as arguments of calls have it. */
  public long pointerOfQueuePair(int number) {
    synchronized (lock) {
      return model.qpByNumber(number).pointer;
    }
  }

  /** The numbers of the live queue pairs in the order of their making. */
  public List<Integer> queuePairs() {
    synchronized (lock) {
      return model.qps.values().stream().map(qp -> qp.number).toList();
    }
  }

  /** The native state of a queue pair: 1 INIT, 3 RTS, 6 ERR. */
  public int queuePairState(int number) {
    synchronized (lock) {
      return model.qpByNumber(number).state;
    }
  }

  /** Receives posted on a queue pair, or its shared queue, and not used up. */
  public int postedReceives(int number) {
    synchronized (lock) {
      return model.qpByNumber(number).receiveQueue().size();
    }
  }

  /** Sends posted and not completed. */
  public int pendingSends(int number) {
    synchronized (lock) {
      return (int) model.qpByNumber(number).sends.stream().filter(send -> !send.done).count();
    }
  }

  // what was seen

  /** Every call, oldest first (the last 100,000). */
  public List<FakeCall> calls() {
    return callLog();
  }

  /** The calls of one function. */
  public List<FakeCall> calls(String function) {
    return callLog().stream().filter(call -> call.name().equals(function)).toList();
  }

  /** The last call of a function. */
  public FakeCall lastCall(String function) {
    List<FakeCall> all = calls(function);
    if (all.isEmpty()) {
      throw new IllegalStateException(function + " was never called");
    }
    return all.get(all.size() - 1);
  }

  /** Forgets the calls so far. */
  public FakeNativeCalls clearCalls() {
    forgetCalls();
    return self();
  }

  /** Everything the code under test did that would crash, hang or leak; empty for good code. */
  public List<String> violations() {
    return List.copyOf(violationList());
  }

  /** Live native objects by kind; kinds without one are left out. */
  public Map<String, Integer> live() {
    synchronized (lock) {
      return model.live();
    }
  }

  /** How many native objects live. */
  public int liveObjects() {
    return live().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** CM events fetched so far. */
  public int eventsFetched() {
    synchronized (lock) {
      return events.fetched();
    }
  }

  /** CM events acknowledged so far. */
  public int eventsAcknowledged() {
    synchronized (lock) {
      return events.acked();
    }
  }

  /** CM events queued on all channels and not fetched. */
  public int eventsWaiting() {
    synchronized (lock) {
      return model.channels.values().stream().mapToInt(channel -> channel.queue.size()).sum();
    }
  }

  /**
   * Checks that there was no violation and that nothing is left.
   *
   * @throws AssertionError naming what is wrong
   */
  public void assertClean() {
    if (!violations().isEmpty() || liveObjects() != 0) {
      throw new AssertionError("violations " + violations() + ", live " + live());
    }
  }
}
