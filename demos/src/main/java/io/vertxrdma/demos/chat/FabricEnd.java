package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.Outbox;

/** The hub's end of one connection, as the page shows it. */
interface FabricEnd {

  /** Who is at the other end. */
  String label();

  ChatLink link();

  /** What waits for it. */
  Outbox<?> outbox();
}
