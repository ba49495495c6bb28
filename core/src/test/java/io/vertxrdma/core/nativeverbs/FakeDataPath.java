package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.CompChannel;
import io.vertxrdma.core.nativeverbs.FakeModel.Completion;
import io.vertxrdma.core.nativeverbs.FakeModel.Cq;
import io.vertxrdma.core.nativeverbs.FakeModel.Qp;
import io.vertxrdma.core.nativeverbs.FakeModel.Receive;
import io.vertxrdma.core.nativeverbs.FakeModel.Send;
import io.vertxrdma.core.nativeverbs.FakeModel.Sge;
import io.vertxrdma.core.nativeverbs.FakeModel.Srq;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The fake's queues at work: posting, completing, flushing, polling, completion events. */
final class FakeDataPath {

  static final int INIT = 1;
  static final int RTR = 2;
  static final int RTS = 3;
  static final int ERR = 6;

  private static final int EINVAL = 22;
  private static final int ENOMEM = 12;
  private static final int FLUSHED = 5;
  private static final int SIGNALED = 2;
  private static final int INLINE = 8;
  private static final int RECV = 128;

  private final FakeNativeCalls fake;
  private final FakeModel model;
  private final FakeMemory memory;

  FakeDataPath(FakeNativeCalls fake) {
    this.fake = fake;
    this.model = fake.model;
    this.memory = fake.memory;
  }

  int postSend(long pointer, List<Long> chain, List<byte[]> requests, long bad) {
    Qp qp = model.qps.get(pointer);
    if (qp == null) {
      return fake.misuse("post_send", pointer);
    }
    FakeScripts.Refusal refusal = fake.scripts.takeRefusal("post_send");
    int result = 0;
    for (int i = 0; i < chain.size() && result == 0; i++) {
      result = refusal != null && refusal.accepted() == i ? refusal.value() : 0;
      if (result == 0) {
        result = addSend(qp, requests.get(i));
      }
      if (result != 0) {
        memory.put(bad, 8, chain.get(i));
        fake.setErrno(refusal == null ? result : refusal.errno());
      }
    }
    progress(qp);
    return result;
  }

  private int addSend(Qp qp, byte[] request) {
    ByteBuffer wr = ByteBuffer.wrap(request).order(ByteOrder.nativeOrder());
    int count = wr.getInt(24);
    int flags = wr.getInt(32);
    if (qp.state != RTS && qp.state != ERR || count < 0 || count > qp.maxSendSge) {
      return EINVAL;
    }
    if (qp.sends.size() >= qp.maxSend) {
      return ENOMEM;
    }
    int refused = qp.type == FakeDatagrams.UD ? fake.datagrams.post(qp, wr) : 0;
    if (refused != 0) {
      return refused;
    }
    List<Sge> entries = entries(wr.getLong(16), count);
    byte[] inline = null;
    if ((flags & INLINE) != 0) {
      inline = gather(entries);
      if (inline.length > qp.maxInline) {
        return EINVAL;
      }
    }
    qp.sends.add(new Send(wr.getLong(0), wr.getInt(28), flags, request, entries, inline));
    return 0;
  }

  List<Sge> entries(long list, int count) {
    List<Sge> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long at = list + 16L * i;
      entries.add(new Sge(memory.i64(at), memory.i32(at + 8), memory.i32(at + 12)));
    }
    return entries;
  }

  byte[] gather(List<Sge> entries) {
    ByteBuffer all = ByteBuffer.allocate(entries.stream().mapToInt(Sge::length).sum());
    entries.forEach(entry -> all.put(memory.read(entry.address(), entry.length())));
    return all.array();
  }

  int postReceive(long pointer, List<Long> chain, List<byte[]> requests, long bad) {
    Qp qp = model.qps.get(pointer);
    if (qp == null) {
      return fake.misuse("post_recv", pointer);
    }
    boolean accepts = qp.srq == null && qp.state >= INIT;
    // A receive that comes after the error is taken and never flushed, as rxe does.
    boolean swallow = qp.state == ERR && !fake.flushReceivesPostedInError;
    int result = 0;
    FakeScripts.Refusal refusal = fake.scripts.takeRefusal("post_recv");
    for (int i = 0; i < chain.size() && result == 0; i++) {
      boolean full = qp.receives.size() >= qp.maxRecv;
      result = !accepts ? EINVAL : full ? ENOMEM : 0;
      if (refusal != null && refusal.accepted() == i) {
        result = refusal.value();
      }
      if (result == 0 && !swallow) {
        qp.receives.add(receive(requests.get(i)));
      } else if (result != 0) {
        memory.put(bad, 8, chain.get(i));
        fake.setErrno(refusal == null ? result : refusal.errno());
      }
    }
    if (qp.state == ERR) {
      flushReceives(qp);
    }
    fake.wire.receivesPosted(qp);
    return result;
  }

  int postSrqReceive(long pointer, List<Long> chain, List<byte[]> requests, long bad) {
    Srq srq = model.srqs.get(pointer);
    if (srq == null) {
      return fake.misuse("post_srq_recv", pointer);
    }
    int result = 0;
    FakeScripts.Refusal refusal = fake.scripts.takeRefusal("post_srq_recv");
    for (int i = 0; i < chain.size() && result == 0; i++) {
      result = srq.receives.size() >= srq.maxWr ? ENOMEM : 0;
      if (refusal != null && refusal.accepted() == i) {
        result = refusal.value();
      }
      if (result == 0) {
        srq.receives.add(receive(requests.get(i)));
      } else {
        memory.put(bad, 8, chain.get(i));
        fake.setErrno(refusal == null ? result : refusal.errno());
      }
    }
    List.copyOf(model.qps.values()).stream()
        .filter(qp -> qp.srq == srq)
        .forEach(fake.wire::receivesPosted);
    return result;
  }

  private Receive receive(byte[] request) {
    ByteBuffer wr = ByteBuffer.wrap(request).order(ByteOrder.nativeOrder());
    return new Receive(wr.getLong(0), entries(wr.getLong(16), wr.getInt(24)));
  }

  /** Lets the send queue work as far as it can. */
  void progress(Qp qp) {
    if (qp.busy) {
      return;
    }
    qp.busy = true;
    try {
      work(qp);
    } finally {
      qp.busy = false;
    }
  }

  private void work(Qp qp) {
    for (Send send : List.copyOf(qp.sends)) {
      if (send.done) {
        continue;
      }
      if (qp.state == ERR) {
        complete(qp, send, FLUSHED);
        continue;
      }
      if (fake.holdSends) {
        return;
      }
      int status = fake.wire.transfer(qp, send);
      if (status == FakeWire.WAIT) {
        return;
      }
      complete(qp, send, status);
    }
  }

  /** Completes a send; a status that is an error takes the queue pair along. */
  void complete(Qp qp, Send send, int status) {
    send.done = true;
    if (status != 0 || qp.signalAll || (send.flags & SIGNALED) != 0) {
      int opcode =
          switch (send.opcode) {
            case 0, 1 -> 1;
            case 2, 3 -> 0;
            default -> send.opcode - 2;
          };
      push(
          qp.sendCq,
          new Completion(send.workRequestId, status, opcode, vendor(status), 0, 0, 0, 0, qp, send));
    }
    if (status != 0) {
      toError(qp);
    }
  }

  private static int vendor(int status) {
    return status == 0 ? 0 : 0x80 + status;
  }

  /** The queue pair goes to ERR: everything posted is flushed. */
  void toError(Qp qp) {
    if (qp.state == ERR) {
      return;
    }
    qp.state = ERR;
    progress(qp);
    flushReceives(qp);
    if (qp.srq != null) {
      fake.async(qp.device, qp.pointer, 16);
    }
    fake.wire.peerOf(qp).ifPresent(this::progress);
  }

  private void flushReceives(Qp qp) {
    while (!qp.receives.isEmpty()) {
      completeReceive(qp, qp.receives.poll(), FLUSHED, RECV, 0, 0, 0);
    }
  }

  void completeReceive(
      Qp qp, Receive receive, int status, int opcode, int length, int immediate, int flags) {
    push(
        qp.recvCq,
        new Completion(
            receive.workRequestId(),
            status,
            opcode,
            vendor(status),
            length,
            immediate,
            flags,
            qp.type == FakeDatagrams.UD ? qp.lastSource : qp.destination,
            qp,
            null));
    if (qp.srq != null && qp.srq.limit > qp.srq.receives.size()) {
      qp.srq.limit = 0;
      fake.async(qp.device, qp.srq.pointer, 15);
    }
  }

  void push(Cq cq, Completion completion) {
    if (cq.queue.size() >= cq.entries) {
      if (!cq.overrun) {
        cq.overrun = true;
        fake.async(cq.device, cq.pointer, 0);
      }
      return;
    }
    cq.queue.add(completion);
    if (cq.armed && cq.channel != null) {
      cq.armed = false;
      cq.channel.events.add(cq);
      cq.channel.descriptor.setReadable(true);
    }
  }

  int poll(long pointer, int count, long target) {
    Cq cq = model.cqs.get(pointer);
    if (cq == null) {
      fake.misuse("poll_cq", pointer);
      return -EINVAL;
    }
    int n = 0;
    while (n < count && !cq.queue.isEmpty()) {
      Completion completion = cq.queue.poll();
      memory.write(target + (long) n++ * FakeAbi.WC_SIZE, bytes(completion));
      if (completion.freed() != null && completion.qp().sends.contains(completion.freed())) {
        while (completion.qp().sends.poll() != completion.freed()) {
          // This one and all sends before it give their slots back.
        }
      }
    }
    return n;
  }

  private byte[] bytes(Completion completion) {
    boolean failed = completion.status() != 0;
    ByteBuffer wc = ByteBuffer.allocate(FakeAbi.WC_SIZE).order(ByteOrder.nativeOrder());
    wc.putLong(0, completion.workRequestId());
    wc.putInt(8, completion.status());
    // Nothing else is defined after an error, so lay a trap for those who look.
    wc.putInt(12, failed ? RECV + 1 : completion.opcode());
    wc.putInt(16, completion.vendorError());
    wc.putInt(20, failed ? 0x7EADBEEF : completion.byteLength());
    wc.putInt(28, completion.qp().number);
    wc.putInt(32, completion.source());
    wc.putInt(36, failed ? 2 : completion.flags());
    wc.order(ByteOrder.BIG_ENDIAN).putInt(24, failed ? 0x7EADBEEF : completion.immediate());
    return wc.array();
  }

  int arm(long pointer) {
    Cq cq = model.cqs.get(pointer);
    if (cq == null) {
      return fake.misuse("req_notify_cq", pointer);
    }
    cq.armed = true;
    return 0;
  }

  int getEvent(long pointer, long cqOut, long contextOut) {
    CompChannel channel = model.compChannels.get(pointer);
    if (channel == null) {
      fake.misuse("ibv_get_cq_event", pointer);
      return fake.fail(EINVAL, -1);
    }
    Cq cq = channel.events.poll();
    channel.descriptor.setReadable(!channel.events.isEmpty());
    if (cq == null) {
      if (!channel.descriptor.isNonBlocking()) {
        fake.violation("ibv_get_cq_event blocks: the descriptor is not O_NONBLOCK");
      }
      return fake.fail(11, -1);
    }
    cq.fetchedEvents++;
    memory.put(cqOut, 8, cq.pointer);
    memory.put(contextOut, 8, cq.context);
    return 0;
  }

  void ackEvents(long pointer, int count) {
    Cq cq = model.cqs.get(pointer);
    if (cq == null) {
      fake.misuse("ibv_ack_cq_events", pointer);
      return;
    }
    cq.ackedEvents += count;
    if (cq.ackedEvents > cq.fetchedEvents) {
      fake.violation("ibv_ack_cq_events for more events than were fetched");
    }
    fake.lock.notifyAll();
  }
}
