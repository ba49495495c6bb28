package io.vertxrdma.soft.transport;

import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells a listener that completion queues have something; has no descriptor. */
final class SoftCompletionChannel extends SoftObject implements CompletionChannel {

  private List<SoftCompletionQueue> fired = new ArrayList<>();
  private List<SoftCompletionQueue> spare = new ArrayList<>();
  private Runnable listener = () -> {};

  SoftCompletionChannel(Engine engine) {
    super(engine, "completion channel");
  }

  /** Adds an event of a queue; device lock held. */
  void fire(SoftCompletionQueue queue) {
    if (queue.events++ == 0) {
      if (fired.isEmpty()) {
        engine.notifyLater(listener);
      }
      fired.add(queue);
    }
  }

  /** Drops the events of a queue that is closed; device lock held. */
  void forget(SoftCompletionQueue queue) {
    queue.events = 0;
    fired.remove(queue);
  }

  @Override
  public int fileDescriptor() {
    requireOpen();
    return -1;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    engine.enter();
    try {
      requireOpen();
      this.listener = listener == null ? () -> {} : listener;
      if (!fired.isEmpty()) {
        engine.notifyLater(this.listener);
      }
    } finally {
      engine.leave();
    }
  }

  @Override
  public synchronized int drain(Consumer<CompletionQueue> readable) {
    List<SoftCompletionQueue> queues;
    int events = 0;
    engine.enter();
    try {
      requireOpen();
      queues = fired;
      // Taken, should the consumer drain again.
      fired = spare == null ? new ArrayList<>() : spare;
      spare = null;
      for (int i = 0; i < queues.size(); i++) {
        events += queues.get(i).events;
        queues.get(i).events = 0;
      }
    } finally {
      engine.leave();
    }
    try {
      tell(queues, readable);
    } finally {
      queues.clear();
      spare = queues;
    }
    return events;
  }

  private static void tell(List<SoftCompletionQueue> queues, Consumer<CompletionQueue> readable) {
    RuntimeException failure = null;
    for (int i = 0; i < queues.size(); i++) {
      // Not one that the consumer of an earlier one has closed.
      if (queues.get(i).isOpen()) {
        try {
          readable.accept(queues.get(i));
        } catch (RuntimeException e) {
          // The other queues' events are used up as well; they must hear of them first.
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  void destroy() {
    listener = () -> {};
  }
}
