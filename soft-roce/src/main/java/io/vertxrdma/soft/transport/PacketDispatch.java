package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.PacketCheck;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the packets of the link to their queue pairs. Whatever a packet contains, it is handled or
 * dropped and counted; nothing is thrown.
 */
final class PacketDispatch implements Link.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(PacketDispatch.class);

  /** The P_Key without its membership bit. */
  private static final int PKEY_MASK = 0x7FFF;

  private final Engine engine;
  private final SoftCounters counters;
  private final Management management;
  private final InboundPacket packet = new InboundPacket();
  // Those that have something to answer at the end of the batch.
  private final ArrayList<Responder> answering = new ArrayList<>();

  PacketDispatch(Engine engine, Management management) {
    this.engine = engine;
    this.counters = engine.counters();
    this.management = management;
  }

  @Override
  public void packet(InetAddress source, ByteBuffer bytes) {
    counters.increment(SoftCounters.Name.RECEIVED_PACKETS);
    counters.add(SoftCounters.Name.RECEIVED_BYTES, bytes.remaining());
    engine.enter();
    try {
      SoftCounters.Name reason = reason(bytes);
      if (reason != null) {
        counters.increment(reason);
        return;
      }
      packet.load(bytes);
      dispatch(source);
    } catch (RuntimeException failure) {
      counters.increment(SoftCounters.Name.DROP_OTHER);
      LOG.warn("a packet of {} could not be handled", source, failure);
    } finally {
      engine.leaveForNow();
    }
  }

  /** Why the bytes are no packet for us, or null. */
  private static SoftCounters.Name reason(ByteBuffer bytes) {
    SoftCounters.Name reason =
        switch (PacketCheck.check(bytes)) {
          case OK -> null;
          case SHORT -> SoftCounters.Name.DROP_SHORT;
          case BAD_VERSION -> SoftCounters.Name.DROP_BAD_VERSION;
          case UNKNOWN_OPCODE -> SoftCounters.Name.DROP_BAD_OPCODE;
          case BAD_LENGTH -> SoftCounters.Name.DROP_BAD_LENGTH;
        };
    if (reason == null
        && (Headers.pkey(bytes, bytes.position()) & PKEY_MASK)
            != (Headers.DEFAULT_PKEY & PKEY_MASK)) {
      return SoftCounters.Name.DROP_BAD_PKEY;
    }
    return reason;
  }

  private void dispatch(InetAddress source) {
    if (packet.destinationQpn == Management.QUEUE_PAIR_NUMBER) {
      management.receive(source, packet);
      return;
    }
    SoftQueuePair queuePair = engine.queuePair(packet.destinationQpn);
    if (queuePair == null) {
      counters.increment(SoftCounters.Name.DROP_BAD_QPN);
    } else {
      queuePair.receive(source, packet, answering);
    }
  }

  @Override
  public void batchEnd() {
    engine.enter();
    try {
      for (int i = 0; i < answering.size(); i++) {
        answer(answering.get(i));
      }
      answering.clear();
    } finally {
      engine.leave();
    }
  }

  private static void answer(Responder responder) {
    try {
      responder.answer();
    } catch (RuntimeException failure) {
      LOG.warn("a request could not be answered", failure);
    }
  }
}
