package io.vertxrdma.soft.cm;

import io.vertxrdma.core.Errno;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.Mad;
import java.net.InetAddress;
import java.util.function.Consumer;

/** Our question for the datagram queue pair of a peer, repeated until it is answered. */
public final class SidrLookup {

  /** Is told the outcome, once, under the device lock. */
  public interface User {

    /** The peer has one. */
    void resolved(CmSidrRep reply);

    /**
     * The peer has none, or does not answer.
     *
     * @param status the positive SIDR status, or -110 for no answer
     */
    void unreachable(int status, byte[] privateData);
  }

  private final CmAgent agent;
  private final int id;
  private final InetAddress peer;
  private final Retransmission outgoing;
  private User user;

  SidrLookup(CmAgent agent, int id, InetAddress peer, User user) {
    this.agent = agent;
    this.id = id;
    this.peer = peer;
    this.user = user;
    this.outgoing = new Retransmission(agent, peer);
  }

  int id() {
    return id;
  }

  InetAddress peer() {
    return peer;
  }

  void start(Mad request) {
    outgoing.start(
        request.encode(),
        agent.options().replyMillis(),
        agent.options().maxRetries(),
        () -> end(told -> told.unreachable(-Errno.ETIMEDOUT.number(), new byte[0])));
  }

  void replyArrived(CmSidrRep reply) {
    end(
        told -> {
          if (reply.status() == CmSidrRep.STATUS_VALID) {
            told.resolved(reply);
          } else {
            told.unreachable(reply.status(), reply.privateData());
          }
        });
  }

  private void end(Consumer<User> outcome) {
    User told = user;
    cancel();
    if (told != null) {
      outcome.accept(told);
    }
  }

  /** Ends it; the user hears nothing any more. */
  public void cancel() {
    user = null;
    outgoing.stop();
    agent.sidr().ended(this);
  }
}
