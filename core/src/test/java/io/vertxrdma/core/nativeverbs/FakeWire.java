package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Mr;
import io.vertxrdma.core.nativeverbs.FakeModel.Qp;
import io.vertxrdma.core.nativeverbs.FakeModel.Receive;
import io.vertxrdma.core.nativeverbs.FakeModel.Send;
import io.vertxrdma.core.nativeverbs.FakeModel.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Moves data between the two queue pairs of a pair; a send to nowhere just succeeds. */
final class FakeWire {

  static final int WAIT = -1;

  private static final int LOCAL_WRITE = 1;
  private static final int REMOTE_WRITE = 2;
  private static final int REMOTE_READ = 4;
  private static final int REMOTE_ATOMIC = 8;
  private static final int LOCAL_PROTECTION = 4;
  private static final int LOCAL_LENGTH = 1;
  private static final int REMOTE_INVALID = 9;
  private static final int REMOTE_ACCESS = 10;
  private static final int REMOTE_OPERATION = 11;
  private static final int RETRY_EXCEEDED = 12;
  private static final int RNR_EXCEEDED = 13;
  private static final int WITH_IMM = 2;

  private final FakeNativeCalls fake;
  private final FakeMemory memory;

  FakeWire(FakeNativeCalls fake) {
    this.fake = fake;
    this.memory = fake.memory;
  }

  Optional<Qp> peerOf(Qp qp) {
    return qp.id.peer == null ? Optional.empty() : Optional.ofNullable(qp.id.peer.qp);
  }

  /** New receives may be what the peer waits for. */
  void receivesPosted(Qp qp) {
    peerOf(qp).ifPresent(fake.data::progress);
  }

  /** Carries out one send: its status, or {@link #WAIT} for a receiver that is not ready. */
  int transfer(Qp qp, Send send) {
    if (qp.type == FakeDatagrams.UD) {
      boolean readable =
          send.inline != null || send.entries.stream().allMatch(entry -> local(qp, entry, 0));
      return readable ? fake.datagrams.transfer(qp, send) : LOCAL_PROTECTION;
    }
    if (!qp.id.paired) {
      return 0;
    }
    Qp peer = peerOf(qp).orElse(null);
    if (peer == null || peer.state < FakeDataPath.RTR || peer.state == FakeDataPath.ERR) {
      return RETRY_EXCEEDED;
    }
    int right = send.opcode >= 4 ? LOCAL_WRITE : 0;
    if (send.inline == null && !send.entries.stream().allMatch(entry -> local(qp, entry, right))) {
      return LOCAL_PROTECTION;
    }
    return switch (send.opcode) {
      case 0, 1 -> write(qp, peer, send);
      case 2, 3 -> send(qp, peer, send);
      case 4 -> read(peer, send);
      case 5, 6 -> atomic(peer, send);
      default -> REMOTE_INVALID;
    };
  }

  private boolean local(Qp qp, Sge entry, int right) {
    return fake.model.mrs.values().stream()
        .anyMatch(
            mr ->
                mr.lkey() == entry.lkey()
                    && mr.pd() == qp.pd
                    && mr.holds(entry.address(), entry.length(), right));
  }

  private boolean remote(Qp peer, int key, long address, long length, int right) {
    for (Mr mr : fake.model.mrs.values()) {
      if (mr.rkey() == key && mr.pd() == peer.pd && mr.holds(address, length, right)) {
        return true;
      }
    }
    return false;
  }

  private byte[] payload(Send send) {
    return send.inline != null ? send.inline : fake.data.gather(send.entries);
  }

  private static ByteBuffer request(Send send) {
    return ByteBuffer.wrap(send.bytes).order(ByteOrder.nativeOrder());
  }

  private int write(Qp qp, Qp peer, Send send) {
    byte[] payload = payload(send);
    ByteBuffer wr = request(send);
    long address = wr.getLong(40);
    if (payload.length > 0) {
      if (!remote(peer, wr.getInt(48), address, payload.length, REMOTE_WRITE)) {
        fake.data.toError(peer);
        return REMOTE_ACCESS;
      }
      // All but the last packet lands whether or not a receive is there; here all of it.
      memory.write(address, payload);
    }
    return send.opcode == 0 ? 0 : notify(qp, peer, send, payload.length);
  }

  private int notify(Qp qp, Qp peer, Send send, int length) {
    Receive receive = peer.receiveQueue().poll();
    if (receive == null) {
      return notReady(qp);
    }
    fake.data.completeReceive(peer, receive, 0, 129, length, immediate(send), WITH_IMM);
    return 0;
  }

  private int notReady(Qp qp) {
    return qp.rnrRetryCount == 0 ? RNR_EXCEEDED : WAIT;
  }

  static int immediate(Send send) {
    return ByteBuffer.wrap(send.bytes).order(ByteOrder.BIG_ENDIAN).getInt(36);
  }

  private int send(Qp qp, Qp peer, Send send) {
    Receive receive = peer.receiveQueue().poll();
    if (receive == null) {
      return notReady(qp);
    }
    byte[] payload = payload(send);
    int room = receive.entries().stream().mapToInt(Sge::length).sum();
    boolean fits = room >= payload.length;
    boolean allowed = receive.entries().stream().allMatch(entry -> local(peer, entry, LOCAL_WRITE));
    if (!fits || !allowed) {
      int status = fits ? LOCAL_PROTECTION : LOCAL_LENGTH;
      fake.data.completeReceive(peer, receive, status, 128, 0, 0, 0);
      fake.data.toError(peer);
      return fits ? REMOTE_OPERATION : REMOTE_INVALID;
    }
    scatter(receive.entries(), payload);
    boolean imm = send.opcode == 3;
    fake.data.completeReceive(
        peer, receive, 0, 128, payload.length, imm ? immediate(send) : 0, imm ? WITH_IMM : 0);
    return 0;
  }

  void scatter(List<Sge> entries, byte[] payload) {
    int at = 0;
    for (Sge entry : entries) {
      int count = Math.min(entry.length(), payload.length - at);
      byte[] part = new byte[count];
      System.arraycopy(payload, at, part, 0, count);
      memory.write(entry.address(), part);
      at += count;
    }
  }

  private int read(Qp peer, Send send) {
    ByteBuffer wr = request(send);
    int length = send.entries.stream().mapToInt(Sge::length).sum();
    if (!remote(peer, wr.getInt(48), wr.getLong(40), length, REMOTE_READ)) {
      fake.data.toError(peer);
      return REMOTE_ACCESS;
    }
    scatter(send.entries, memory.read(wr.getLong(40), length));
    return 0;
  }

  private int atomic(Qp peer, Send send) {
    ByteBuffer wr = request(send);
    long address = wr.getLong(40);
    if (address % 8 != 0 || send.entries.size() != 1 || send.entries.get(0).length() != 8) {
      return REMOTE_INVALID;
    }
    if (!remote(peer, wr.getInt(64), address, 8, REMOTE_ATOMIC)) {
      fake.data.toError(peer);
      return REMOTE_ACCESS;
    }
    long before = memory.i64(address);
    long operand = wr.getLong(48);
    if (send.opcode == 6) {
      memory.put(address, 8, before + operand);
    } else if (before == operand) {
      memory.put(address, 8, wr.getLong(56));
    }
    memory.put(send.entries.get(0).address(), 8, before);
    return 0;
  }
}
