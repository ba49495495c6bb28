package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ChatMessage.Kind;
import io.vertxrdma.demos.chat.room.Elsewhere;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.Neighbour;
import io.vertxrdma.demos.chat.room.Outbox;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.demos.chat.room.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection between two hubs. Each tells the other first where the histories of its rooms are,
 * then who is in which room, then what happens; the order on the connection is the order in which
 * it happened.
 */
final class HubLink implements ChatLink.Handler, Elsewhere, FabricEnd {

  /** Messages that may wait for a hub that does not keep up; then it counts as lost. */
  static final int OUTBOX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(HubLink.class);

  private final Hub hub;
  private final Histories histories;
  private final String name;
  private final ChatLink link;
  private final Consumer<HubLink> afterwards;
  private final Neighbour neighbour;
  private final Outbox<ChatMessage> outbox;
  private final Unread unread;
  private boolean telling;
  private boolean replaying;
  private boolean ended;
  private Throwable failure;
  private boolean over;

  /**
   * A link that tells nothing yet.
   *
   * @param name of the other hub, for people
   * @param afterwards called once when the connection has ended
   */
  HubLink(Hub hub, Histories histories, String name, ChatLink link, Consumer<HubLink> afterwards) {
    this.hub = hub;
    this.histories = histories;
    this.name = name;
    this.link = link;
    this.afterwards = afterwards;
    this.neighbour = new Neighbour(hub, name);
    this.outbox = new Outbox<>(link::offer, OUTBOX, ChatMessage::gap);
    this.unread = new Unread(link, message -> !replaying && !over, this::act);
  }

  /** Begins; completes when the other was told what there was to tell. */
  Future<Void> start() {
    link.start(this);
    List<Room> rooms = hub.rooms();
    List<Future<RegisteredHistory>> registered = new ArrayList<>();
    rooms.forEach(room -> registered.add(histories.of(room, link.connection())));
    return Future.join(registered)
        .transform(
            done -> {
              for (int i = 0; i < rooms.size(); i++) {
                offerHistory(rooms.get(i), registered.get(i));
              }
              telling = true;
              hub.here(this::entered);
              return Future.succeededFuture();
            });
  }

  private void offerHistory(Room room, Future<RegisteredHistory> history) {
    if (history.failed()) {
      LOG.warn("{} gets no history of {}: {}", name, room.name(), history.cause().getMessage());
    } else if (history.result() != null && room.next() > 1) {
      send(new ChatMessage(Kind.ENTERED, room.name(), history.result().place().encode()));
    }
  }

  @Override
  public String label() {
    return name;
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
  public void said(String nick, String text) {
    if (telling) {
      ChatMessage message = ChatMessage.say(nick, text);
      for (String part : Utf8.split(message.text(), message.roomForText(link.slotSize()))) {
        send(message.withText(part));
      }
    }
  }

  @Override
  public void entered(String nick, Room room) {
    if (telling) {
      send(new ChatMessage(Kind.JOIN, nick, room.name()));
    }
  }

  @Override
  public void left(String nick, String lost) {
    if (telling) {
      ChatMessage message = new ChatMessage(Kind.LEAVE, nick, lost == null ? "" : lost);
      send(
          message.withText(
              Utf8.split(message.text(), message.roomForText(link.slotSize())).get(0)));
    }
  }

  private void send(ChatMessage message) {
    if (over) {
      return;
    }
    if (outbox.waiting() == OUTBOX) {
      // Who is where must not be among what is skipped: begin again, with a new connection.
      link.violated(new ProtocolException("it does not keep up"));
      return;
    }
    outbox.send(message);
  }

  @Override
  public void message(ChatMessage message, Runnable read) {
    unread.add(message, read);
  }

  private void act(ChatMessage message) {
    switch (message.kind()) {
      case ENTERED -> takeOver(message.nick(), HistoryPlace.decode(message.text()));
      case JOIN -> neighbour.entered(message.nick(), message.text());
      case SAY -> neighbour.said(message.nick(), message.text());
      case LEAVE ->
          neighbour.left(message.nick(), message.text().isEmpty() ? null : message.text());
      case NOTICE, WHO, ROOMS, GAP ->
          throw new ProtocolException("a message of a hub that only members or their hubs send");
    }
  }

  /** READs what was said in a room, if nothing was said in it here. */
  private void takeOver(String roomName, HistoryPlace place) {
    Room room;
    try {
      room = hub.room(roomName);
    } catch (ProtocolException oneTooMany) {
      LOG.warn("{} has a room {}: {}", name, roomName, oneTooMany.getMessage());
      return;
    }
    if (place == null || room.next() != 1) {
      return;
    }
    replaying = true;
    Replay.read(link.connection(), place)
        .onComplete(
            read -> {
              replaying = false;
              if (read.succeeded()) {
                room.takeOver(read.result().lines());
              } else if (!over) {
                LOG.warn(
                    "no history of {} from {}: {}", room.name(), name, read.cause().getMessage());
              }
              unread.act();
              if (ended) {
                end(failure);
              }
            });
  }

  @Override
  public void ready() {
    outbox.flush();
  }

  @Override
  public void ended(Throwable cause) {
    ended = true;
    failure = cause;
    // What had arrived before comes first.
    if (!replaying) {
      end(cause);
    }
  }

  /**
   * Ends it now: its members are gone as far as this hub knows. Idempotent.
   *
   * @param cause null when one side closed it
   */
  void end(Throwable cause) {
    if (over) {
      return;
    }
    over = true;
    neighbour.lost(name + " is gone" + (cause == null ? "" : ": " + ChatLink.reason(cause)));
    link.connection().close();
    afterwards.accept(this);
  }
}
