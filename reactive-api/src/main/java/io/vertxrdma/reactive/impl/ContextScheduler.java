package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Vert.x context as an RxJava scheduler: its tasks and timers run on that context. */
public final class ContextScheduler extends Scheduler {

  private final ContextInternal context;

  /** The scheduler of a context. */
  public ContextScheduler(ContextInternal context) {
    this.context = context;
  }

  @Override
  public Worker createWorker() {
    return new ContextWorker();
  }

  private final class ContextWorker extends Worker {

    private final CompositeDisposable tasks = new CompositeDisposable();

    @Override
    public Disposable schedule(Runnable run, long delay, TimeUnit unit) {
      Task task = new Task(run, tasks);
      // Refused, and disposed at once, when the worker is.
      if (tasks.add(task)) {
        task.start(context, unit.toMillis(delay));
      }
      return task;
    }

    @Override
    public void dispose() {
      tasks.dispose();
    }

    @Override
    public boolean isDisposed() {
      return tasks.isDisposed();
    }
  }

  private static final class Task implements Disposable {

    private final Runnable run;
    private final CompositeDisposable siblings;
    private final AtomicBoolean over = new AtomicBoolean();
    private ContextInternal context;
    private long timer = -1;

    Task(Runnable run, CompositeDisposable siblings) {
      this.run = run;
      this.siblings = siblings;
    }

    void start(ContextInternal on, long millis) {
      if (millis <= 0) {
        on.runOnContext(nothing -> run());
        return;
      }
      synchronized (this) {
        if (!over.get()) {
          context = on;
          timer = on.setTimer(millis, fired -> run());
        }
      }
    }

    private void run() {
      if (over.compareAndSet(false, true)) {
        siblings.delete(this);
        run.run();
      }
    }

    @Override
    public void dispose() {
      if (over.compareAndSet(false, true)) {
        siblings.delete(this);
        synchronized (this) {
          if (timer != -1) {
            context.owner().cancelTimer(timer);
          }
        }
      }
    }

    @Override
    public boolean isDisposed() {
      return over.get();
    }
  }
}
