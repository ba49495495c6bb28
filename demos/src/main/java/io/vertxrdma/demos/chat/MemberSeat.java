package io.vertxrdma.demos.chat;

import io.vertxrdma.reactive.RingProtocolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's place at the hub: its link, and what waits for it. */
final class MemberSeat implements Hub.Seat, ChatLink.Handler {

  /** Messages that may wait for a member who does not keep up. */
  static final int OUTBOX = 256;

  private static final Logger LOG = LoggerFactory.getLogger(MemberSeat.class);

  private final Hub hub;
  private final String nick;
  private final ChatLink link;
  private final Runnable gone;
  private final Outbox outbox;

  /**
   * A seat nobody has taken yet.
   *
   * @param gone run once when the member has left
   */
  MemberSeat(Hub hub, String nick, ChatLink link, Runnable gone) {
    this.hub = hub;
    this.nick = nick;
    this.link = link;
    this.gone = gone;
    this.outbox = new Outbox(link::offer, OUTBOX);
  }

  void sit() {
    // First the room: the link may have messages, or its end, at once.
    hub.join(this);
    link.start(this);
  }

  @Override
  public String nick() {
    return nick;
  }

  @Override
  public void send(ChatMessage message) {
    for (String part : Utf8.split(message.text(), message.roomForText(link.slotSize()))) {
      outbox.send(message.withText(part));
    }
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    // The hub keeps no line, so its reader never waits for a slow listener.
    read.run();
    hub.received(this, message);
  }

  @Override
  public void ready() {
    outbox.flush();
  }

  @Override
  public void ended(Throwable cause) {
    if (cause instanceof ProtocolException || cause instanceof RingProtocolException) {
      LOG.warn("{} was disconnected: {}", nick, cause.getMessage());
    } else if (cause != null) {
      LOG.info("{} was disconnected: {}", nick, cause.getMessage());
    }
    hub.leave(this);
    gone.run();
  }
}
