package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a member got by an RDMA READ of a room's history.
 *
 * @param lines the lines said before the member came, the oldest first
 * @param overwritten how many more the hub had written over when they were READ
 */
record Replay(List<Line> lines, int overwritten) {

  /** READs the history, once; fails as well when the connection is closed or has no READs. */
  static Future<Replay> read(RdmaConnection connection, HistoryPlace place) {
    if (place.lines() == 0) {
      return Future.succeededFuture(new Replay(List.of(), 0));
    }
    try {
      return connection
          .memory()
          .allocate(place.lines() * HistorySlot.SIZE)
          .compose(target -> read(connection, place, target).eventually(target::close));
    } catch (IllegalStateException closed) {
      return Future.failedFuture(closed);
    }
  }

  private static Future<Replay> read(
      RdmaConnection connection, HistoryPlace place, RegisteredBuffer target) {
    return connection
        .read(place.memory(), target.all())
        .map(done -> in(ByteBuffer.wrap(target.getBytes(0, target.capacity())), place));
  }

  /**
   * Finds the lines in what was READ.
   *
   * <p>A slot that is being written, or has a line of a later number, had an older one before,
   * which is lost; the newer line comes as a message. So nothing is READ again, and nothing shown
   * twice.
   */
  static Replay in(ByteBuffer region, HistoryPlace place) {
    List<Line> lines = new ArrayList<>();
    for (int slot = 0; slot < place.lines(); slot++) {
      HistorySlot.decode(region, slot * HistorySlot.SIZE)
          .filter(line -> line.sequence() < place.next())
          .ifPresent(lines::add);
    }
    lines.sort(Comparator.comparingLong(Line::sequence));
    return new Replay(lines, place.lines() - lines.size());
  }
}
