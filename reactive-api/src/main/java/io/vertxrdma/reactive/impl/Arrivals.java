package io.vertxrdma.reactive.impl;

import io.vertx.core.Handler;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.core.AsyncEventException;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.RdmaConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completions of a connection: what arrived goes to the streams, what was sent to its
 * operations, and what is broken ends the connection. On the loop.
 */
final class Arrivals implements CompletionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final LoopEndpoint endpoint;
  private final ConnectionApi connection;
  private final ConnectionMeter meter;
  private final ImmediateQueue immediates;
  private final MessageQueue messages;
  private final Handler<Void> deliver;
  private boolean inBatch;
  // Something to hand over came in this batch.
  private boolean arrived;
  private long batchNanos;
  private boolean logging;
  private boolean unexpectedLogged;
  private boolean exhaustionLogged;
  private long immediatesReceived;
  private long messagesReceived;
  private long exhausted;

  Arrivals(LoopEndpoint endpoint, ConnectionApi connection, ConnectionMeter meter) {
    this.endpoint = endpoint;
    this.connection = connection;
    this.meter = meter;
    this.immediates =
        new ImmediateQueue(
            endpoint.context(), connection, endpoint.options().getReceiveDepth(), this::credited);
    boolean expected = endpoint.options().getReceiveBufferSize() > 0;
    this.messages = new MessageQueue(endpoint.context(), connection, expected, () -> credited(0));
    this.deliver =
        nothing -> {
          immediates.deliver();
          messages.drain();
        };
  }

  ImmediateQueue immediates() {
    return immediates;
  }

  MessageQueue messages() {
    return messages;
  }

  long immediatesReceived() {
    return immediatesReceived;
  }

  long messagesReceived() {
    return messagesReceived;
  }

  /** How often the last receive was used up. */
  long exhausted() {
    return exhausted;
  }

  /** The queue pair is there: completions may come. */
  void open(DataPath path) {
    messages.setReceives(path.receives());
  }

  /** The queue pair is gone. */
  void end(DataPath path) {
    path.receives().end(messages.detach());
  }

  /** Immediates were handed over, or a message released. */
  private void credited(int count) {
    DataPath path = connection.dataPath();
    connection.lookWhetherIdle();
    path.receives().credit(count);
    refill(path);
    // The end of a batch looks at all of it.
    if (!inBatch) {
      meter.queues().sample(path);
    }
  }

  private void refill(DataPath path) {
    int errno = path.receives().refill();
    if (errno != 0) {
      connection.transportFailed(RdmaException.ofErrno("ibv_post_recv", errno));
    }
  }

  /** Drops what nobody was given; returns how many. */
  int discard() {
    int dropped = immediates.discard();
    DataPath path = connection.dataPath();
    if (path != null) {
      path.receives().credit(dropped);
      dropped += messages.discard();
    }
    return dropped;
  }

  @Override
  public void completion(WorkCompletions batch, int index) {
    DataPath path = connection.dataPath();
    long workRequestId = batch.workRequestId(index);
    if (!path.owns(workRequestId)) {
      // Left in the shared queue by an earlier queue pair of the same number.
      return;
    }
    if (!inBatch) {
      inBatch = true;
      batchNanos = System.nanoTime();
      logging = CompletionLog.isOn();
      path.sends().beginBatch();
    }
    if (logging) {
      CompletionLog.log(connection, batch, index);
    }
    boolean receive = (workRequestId & Receives.RECEIVE_BIT) != 0;
    meter.queues().completion(receive, batch.status(index));
    if (receive) {
      received(path, batch, index, workRequestId);
    } else {
      sent(path, batch, index, workRequestId);
    }
  }

  private void received(DataPath path, WorkCompletions batch, int index, long workRequestId) {
    Receives receives = path.receives();
    boolean last = receives.consumed(workRequestId);
    int status = batch.status(index);
    if (status != WorkCompletionStatus.SUCCESS.ordinal()) {
      receives.freeMemory(workRequestId);
      if (receives.isShared()) {
        receives.credit(1);
      }
      if (connection.connectionState() == ConnectionState.ESTABLISHED) {
        connection.responderFailed(
            WorkCompletionException.of("receive", status, batch.vendorError(index)));
      }
      return;
    }
    if (last) {
      exhausted(receives);
    }
    if (connection.isClosedLocally()) {
      drop(receives, workRequestId);
    } else if (batch.isReceiveRdmaWithImmediate(index)) {
      receives.freeMemory(workRequestId);
      immediates.push(batch.immediate(index), batch.byteLength(index), batchNanos);
      arrived = true;
      immediatesReceived++;
    } else if (batch.opcode(index) == WorkCompletionOpcode.RECV && messages.isExpected()) {
      boolean hasImmediate = batch.hasImmediate(index);
      messages.push(
          workRequestId,
          batch.byteLength(index),
          hasImmediate,
          hasImmediate ? batch.immediate(index) : 0);
      messagesReceived++;
      arrived = true;
    } else {
      unexpected(batch.opcode(index));
      drop(receives, workRequestId);
    }
  }

  private static void drop(Receives receives, long workRequestId) {
    receives.freeMemory(workRequestId);
    receives.credit(1);
  }

  private void unexpected(int opcode) {
    if (!unexpectedLogged) {
      unexpectedLogged = true;
      LOG.warn(
          "{}: receive with opcode {} is not a write with immediate; dropped, as are further ones"
              + " (messages need receiveBufferSize)",
          connection,
          opcode);
    }
  }

  private void exhausted(Receives receives) {
    exhausted++;
    if (!exhaustionLogged) {
      exhaustionLogged = true;
      LOG.warn(
          "{}: all {} {}receives are used up, so the peer waits (RNR) if it sends more; {} immediates"
              + " and {} messages were not handed over yet. Raise {} to what peers have under way at"
              + " once, or take what comes faster",
          connection,
          receives.depth(),
          receives.isShared() ? "shared " : "",
          immediates.size(),
          messages.size(),
          receives.isShared() ? "depth and maxDepth of the shared receives" : "receiveDepth");
    }
  }

  private void sent(DataPath path, WorkCompletions batch, int index, long workRequestId) {
    WorkCompletionException failure =
        path.sends().completed(workRequestId, batch.status(index), batch.vendorError(index));
    if (failure != null && connection.connectionState() == ConnectionState.ESTABLISHED) {
      connection.transportFailed(failure);
    }
  }

  @Override
  public boolean usesQueue(CompletionQueue queue) {
    return connection.dataPath().usesQueue(queue);
  }

  @Override
  public boolean usesQueuePair(QueuePair pair) {
    return connection.dataPath().queuePair() == pair;
  }

  @Override
  public void failed(RdmaException cause) {
    if (cause instanceof AsyncEventException) {
      connection.responderFailed(cause);
    } else {
      connection.transportFailed(cause);
    }
  }

  @Override
  public void batchEnd() {
    DataPath path = connection.dataPath();
    if (arrived) {
      arrived = false;
      endpoint.context().emit(null, deliver);
    }
    inBatch = false;
    connection.lookWhetherIdle();
    refill(path);
    path.sends().endBatch();
    meter.queues().batchEnd(path);
    connection.batchDone();
  }

  @Override
  public String toString() {
    return connection.toString();
  }
}
