package io.vertxrdma.core.nativeverbs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What tests told the fake to do instead of, before and after the calls of a function. */
final class FakeScripts {

  /** A scripted outcome: what the C function returns and the errno it leaves. */
  record Outcome(long value, int errno) {}

  /** What to do instead of a call; null means go on as always. */
  interface Script {
    Outcome answer(FakeCall call);
  }

  /** A work request of a chain that is refused. */
  record Refusal(int accepted, int value, int errno) {}

  // These return -1 and set errno; other ints are errno values themselves.
  private static final Set<String> MINUS_ONE =
      Set.of("ibv_get_cq_event", "ibv_get_async_event", "ibv_query_gid", "fcntl");
  private static final Set<String> POINTERS =
      Set.of(
          "rdma_create_event_channel",
          "rdma_get_devices",
          "ibv_get_device_name",
          "ibv_alloc_pd",
          "ibv_reg_mr",
          "ibv_create_comp_channel",
          "ibv_create_cq",
          "ibv_create_srq");

  private final Map<String, Deque<Outcome>> next = new HashMap<>();
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final Map<String, Consumer<FakeCall>> after = new ConcurrentHashMap<>();
  private final Map<String, Deque<Refusal>> refusals = new HashMap<>();

  /** How a function reports an errno, by its own convention. */
  static Outcome failure(String function, int errno) {
    if (POINTERS.contains(function)) {
      return new Outcome(0, errno);
    }
    if (function.startsWith("rdma_") || MINUS_ONE.contains(function)) {
      return new Outcome(-1, errno);
    }
    return new Outcome(function.equals("poll_cq") ? -errno : errno, errno);
  }

  synchronized void next(String function, Outcome outcome) {
    next.computeIfAbsent(function, name -> new ArrayDeque<>()).add(outcome);
  }

  void always(String function, Script script) {
    if (script == null) {
      scripts.remove(function);
    } else {
      scripts.put(function, script);
    }
  }

  void after(String function, Consumer<FakeCall> action) {
    if (action == null) {
      after.remove(function);
    } else {
      after.put(function, action);
    }
  }

  synchronized void refuse(String function, Refusal refusal) {
    refusals.computeIfAbsent(function, name -> new ArrayDeque<>()).add(refusal);
  }

  synchronized Refusal takeRefusal(String function) {
    Deque<Refusal> waiting = refusals.get(function);
    return waiting == null ? null : waiting.poll();
  }

  Outcome outcome(FakeCall call) {
    synchronized (this) {
      Deque<Outcome> waiting = next.get(call.name());
      Outcome first = waiting == null ? null : waiting.poll();
      if (first != null) {
        return first;
      }
    }
    Script script = scripts.get(call.name());
    return script == null ? null : script.answer(call);
  }

  void finished(FakeCall call) {
    Consumer<FakeCall> action = after.get(call.name());
    if (action != null) {
      action.accept(call);
    }
  }
}
