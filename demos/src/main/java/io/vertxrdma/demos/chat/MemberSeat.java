package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ChatMessage.Kind;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.Outbox;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.demos.chat.room.Seat;
import io.vertxrdma.demos.chat.room.Utf8;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's place at the hub: its link, and what waits for it. */
final class MemberSeat implements Seat, ChatLink.Handler, FabricEnd {

  /** Messages that may wait for a member who does not keep up. */
  static final int OUTBOX = 256;

  private static final Logger LOG = LoggerFactory.getLogger(MemberSeat.class);

  private final Hub hub;
  private final Histories histories;
  private final String nick;
  private final ChatLink link;
  private final Consumer<MemberSeat> afterwards;
  private final Outbox<ChatMessage> outbox;
  private final Unread unread;
  private RegisteredHistory history;
  private boolean entering;
  private boolean saidGoodbye;
  private boolean ended;
  private boolean gone;
  private Throwable failure;

  /**
   * A seat nobody has taken yet.
   *
   * @param afterwards called once when the member has left
   */
  MemberSeat(
      Hub hub, Histories histories, String nick, ChatLink link, Consumer<MemberSeat> afterwards) {
    this.hub = hub;
    this.histories = histories;
    this.nick = nick;
    this.link = link;
    this.afterwards = afterwards;
    this.outbox = new Outbox<>(link::offer, OUTBOX, ChatMessage::gap);
    this.unread = new Unread(link, this::canActOn, this::act);
  }

  @Override
  public String nick() {
    return nick;
  }

  @Override
  public String label() {
    return nick;
  }

  @Override
  public ChatLink link() {
    return link;
  }

  @Override
  public Outbox<?> outbox() {
    return outbox;
  }

  @Override
  public void entered(Room room) {
    outbox.send(
        new ChatMessage(
            Kind.ENTERED, room.name(), history == null ? "" : history.place().encode()));
  }

  @Override
  public void line(Line line) {
    send(line.message());
  }

  @Override
  public void notice(String text) {
    send(ChatMessage.notice(text));
  }

  private void send(ChatMessage message) {
    for (String part : Utf8.split(message.text(), message.roomForText(link.slotSize()))) {
      outbox.send(message.withText(part));
    }
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    unread.add(message, read);
  }

  private boolean canActOn(ChatMessage message) {
    // Where a member is must not be among what it misses, as long as it hears anything.
    boolean mustWait = !ended && message.kind() == Kind.JOIN && outbox.waiting() > 0;
    return !entering && !mustWait;
  }

  private void act(ChatMessage message) {
    switch (message.kind()) {
      case SAY -> hub.say(this, message.text());
      case WHO -> hub.who(this);
      case ROOMS -> hub.rooms(this);
      case JOIN -> enter(message.text());
      case LEAVE -> saidGoodbye = true;
      case NOTICE, ENTERED, GAP ->
          throw new ProtocolException("a message of a member that only the hub sends");
    }
  }

  private void enter(String name) {
    Room room;
    try {
      room = hub.room(name);
    } catch (ProtocolException objection) {
      notice(objection.getMessage());
      return;
    }
    entering = true;
    histories
        .of(room, link.connection())
        .onComplete(
            registered -> {
              entering = false;
              if (registered.failed()) {
                LOG.warn("{} gets no history: {}", nick, registered.cause().getMessage());
              }
              history = registered.result();
              hub.enter(this, room);
              unread.act();
              goIfEnded();
            });
  }

  @Override
  public void ready() {
    outbox.flush();
    unread.act();
  }

  @Override
  public void ended(Throwable cause) {
    ended = true;
    failure = cause;
    unread.act();
    goIfEnded();
  }

  /** Goes once what had arrived before the end was said. */
  private void goIfEnded() {
    if (!ended || entering || gone) {
      return;
    }
    gone = true;
    String lost = null;
    // Who said goodbye has left, whatever became of what was still on its way there.
    if (!saidGoodbye) {
      lost = failure == null ? "disconnected" : ChatLink.reason(failure);
      LOG.info("{} was disconnected: {}", nick, lost);
    }
    hub.leave(this, lost);
    afterwards.accept(this);
  }
}
