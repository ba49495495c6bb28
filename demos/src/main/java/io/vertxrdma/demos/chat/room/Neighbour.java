package io.vertxrdma.demos.chat.room;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** The members of another hub, as that hub tells of them. On the event loop of this hub. */
public final class Neighbour {

  /** Members that one hub may tell of. */
  static final int MAX_MEMBERS = 10_000;

  private final Hub hub;
  private final String name;
  private final Map<String, RemoteMember> members = new LinkedHashMap<>();

  /**
   * A hub that has not told of anybody.
   *
   * @param name for people
   */
  public Neighbour(Hub hub, String name) {
    this.hub = hub;
    this.name = name;
  }

  /** Members it told of and that are still there. */
  public int members() {
    return members.size();
  }

  /**
   * One of its members is in a room now.
   *
   * @throws ProtocolException for a nickname that is none, or one member too many
   */
  public void entered(String nick, String roomName) {
    String objection = Names.objectionToNick(nick);
    if (objection != null) {
      throw new ProtocolException(objection);
    }
    RemoteMember member = members.get(Names.key(nick));
    if (member == null) {
      if (members.size() == MAX_MEMBERS) {
        throw new ProtocolException("more than " + MAX_MEMBERS + " members of one hub");
      }
      member = RemoteMember.of(hub, nick);
      members.put(Names.key(nick), member);
    }
    Room room;
    try {
      room = hub.room(roomName);
    } catch (ProtocolException noSuchRoom) {
      // It may be one room too many for this hub: that one goes on there, and is not seen here.
      hub.vanish(member);
      return;
    }
    hub.enter(member, room);
  }

  /**
   * One of its members said something.
   *
   * @param text is said in as many lines as it takes
   */
  public void said(String nick, String text) {
    RemoteMember member = members.get(Names.key(nick));
    if (member != null) {
      Utf8.split(text, ChatMessage.MAX_TEXT).forEach(part -> hub.say(member, part));
    }
  }

  /**
   * One of its members is gone.
   *
   * @param lost why its connection was lost; null for one that said goodbye
   */
  public void left(String nick, String lost) {
    RemoteMember member = members.remove(Names.key(nick));
    if (member != null) {
      hub.leave(member, lost);
    }
  }

  /** The hub itself is gone, and all its members for those who are here. */
  public void lost(String why) {
    new ArrayList<>(members.values()).forEach(member -> hub.leave(member, why));
    members.clear();
  }

  @Override
  public String toString() {
    return name;
  }
}
