package io.vertxrdma.demos.chat.web;

import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.room.Outbox;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.demos.chat.room.Seat;
import io.vertxrdma.demos.chat.room.Utf8;
import java.util.List;
import java.util.function.Consumer;

/**
 * A browser at the hub. What it does not take in time is not kept: it misses lines and is told how
 * many; of state, only the newest is sent.
 */
final class Browser implements Seat {

  /** Messages that may wait for a browser that does not keep up. */
  static final int OUTBOX = 256;

  private static final int SOCKET_BYTES = 64 * 1024;
  private static final short POLICY_VIOLATION = 1008;

  private final Hub hub;
  private final FabricView fabric;
  private final ServerWebSocket socket;
  private final Consumer<Browser> gone;
  private final Outbox<String> outbox;
  private String nick;
  private Room room;
  private String wantedRoom;
  private boolean presenceUnsent;
  private boolean eventsUnsent;

  /**
   * A browser that is nobody yet.
   *
   * @param gone told when it is closed
   */
  Browser(Hub hub, FabricView fabric, ServerWebSocket socket, Consumer<Browser> gone) {
    this.hub = hub;
    this.fabric = fabric;
    this.socket = socket;
    this.gone = gone;
    this.outbox = new Outbox<>(this::offer, OUTBOX, Browser::gap);
  }

  void start() {
    socket.setWriteQueueMaxSize(SOCKET_BYTES);
    socket.textMessageHandler(this::received);
    socket.drainHandler(drained -> ready());
    socket.closeHandler(closed -> ended());
    outbox.send(new JsonObject().put("t", "ready").put("room", hub.firstRoom().name()).encode());
    sendEvents();
    fabric(fabric.snapshot());
  }

  void close() {
    socket.close();
  }

  private void ended() {
    gone.accept(this);
    if (nick != null) {
      hub.leave(this, null);
    }
  }

  private boolean offer(String message) {
    if (socket.isClosed() || socket.writeQueueFull()) {
      return false;
    }
    socket.writeTextMessage(message);
    return true;
  }

  private static String gap(long lines) {
    return new JsonObject().put("t", "gap").put("lines", lines).encode();
  }

  private void ready() {
    outbox.flush();
    if (outbox.waiting() == 0) {
      if (wantedRoom != null) {
        enter(wantedRoom);
      }
      if (presenceUnsent) {
        presenceChanged();
      }
      if (eventsUnsent) {
        sendEvents();
      }
    }
  }

  private void received(String text) {
    try {
      JsonObject message = new JsonObject(text);
      act(message.getString("t", ""), message);
    } catch (DecodeException | ClassCastException | ProtocolException wrong) {
      socket.close(POLICY_VIOLATION, "this is not spoken here");
    }
  }

  private void act(String type, JsonObject message) {
    if (nick == null) {
      if (!type.equals("hello")) {
        throw new ProtocolException("a browser says hello first");
      }
      hello(message.getString("nick", ""), message.getString("room", ""));
      return;
    }
    switch (type) {
      case "say" -> say(message.getString("text", "").strip());
      case "join" -> enter(message.getString("room", ""));
      case "who" -> hub.who(this);
      case "rooms" -> hub.rooms(this);
      default -> throw new ProtocolException("a message of type " + type);
    }
  }

  private void hello(String name, String roomName) {
    String objection = Names.objectionToNick(name);
    if (objection == null && !hub.reserve(name)) {
      objection = "the nickname " + name + " is taken";
    }
    if (objection == null) {
      objection = objectionToRoom(roomName);
      if (objection != null) {
        hub.release(name);
      }
    }
    if (objection != null) {
      outbox.send(new JsonObject().put("t", "refused").put("reason", objection).encode());
      return;
    }
    nick = name;
    enter(roomName);
  }

  private String objectionToRoom(String name) {
    try {
      hub.room(name);
      return null;
    } catch (ProtocolException objection) {
      return objection.getMessage();
    }
  }

  private void say(String text) {
    if (!text.isEmpty()) {
      Utf8.split(text, ChatMessage.MAX_TEXT).forEach(part -> hub.say(this, part));
    }
  }

  private void enter(String roomName) {
    // Where a browser is must not be among what it misses.
    if (outbox.waiting() > 0) {
      wantedRoom = roomName;
      return;
    }
    wantedRoom = null;
    try {
      hub.enter(this, hub.room(roomName));
    } catch (ProtocolException objection) {
      notice(objection.getMessage());
    }
  }

  @Override
  public String nick() {
    return nick;
  }

  @Override
  public boolean hearsItself() {
    return true;
  }

  @Override
  public void entered(Room entered) {
    room = entered;
    JsonArray lines = new JsonArray();
    entered.history().forEach(line -> lines.add(json(line)));
    outbox.send(
        new JsonObject()
            .put("t", "entered")
            .put("nick", nick)
            .put("room", entered.name())
            .put("lines", lines)
            .encode());
  }

  @Override
  public void line(Line line) {
    outbox.send(json(line).put("t", "line").encode());
  }

  private static JsonObject json(Line line) {
    return new JsonObject()
        .put("n", line.sequence())
        .put("at", line.time())
        .put("nick", line.nick())
        .put("text", line.text());
  }

  @Override
  public void notice(String text) {
    outbox.send(new JsonObject().put("t", "notice").put("text", text).encode());
  }

  /** Only the newest counts, so it waits for nobody. */
  @Override
  public void presenceChanged() {
    presenceUnsent = !sendState(presence());
  }

  private JsonObject presence() {
    JsonArray rooms = new JsonArray();
    hub.rooms()
        .forEach(
            each ->
                rooms.add(
                    new JsonObject().put("name", each.name()).put("count", each.members().size())));
    return new JsonObject()
        .put("t", "presence")
        .put("rooms", rooms)
        .put("members", room == null ? List.of() : room.members());
  }

  void fabric(JsonObject snapshot) {
    // Not sent, not missed: the next one comes in a second.
    sendState(snapshot);
  }

  void event(JsonObject event) {
    eventsUnsent |= !sendState(new JsonObject().put("t", "cm").put("event", event));
  }

  private void sendEvents() {
    eventsUnsent =
        !sendState(new JsonObject().put("t", "cmAll").put("events", fabric.recentEvents()));
  }

  private boolean sendState(JsonObject state) {
    return outbox.waiting() == 0 && offer(state.encode());
  }
}
