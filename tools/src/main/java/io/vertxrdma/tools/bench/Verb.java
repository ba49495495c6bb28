package io.vertxrdma.tools.bench;

import io.vertxrdma.core.AccessFlag;
import java.util.Locale;
import java.util.Set;

/** The operation that is measured. */
enum Verb {
  /** RDMA write that hands the peer an immediate and takes up a receive. */
  WRITE_WITH_IMMEDIATE(AccessFlag.REMOTE_WRITE),
  /** RDMA write of which the peer's application hears nothing. */
  WRITE(AccessFlag.REMOTE_WRITE),
  /** A message into a receive of the peer's. */
  SEND(AccessFlag.REMOTE_WRITE),
  /** RDMA read. */
  READ(AccessFlag.REMOTE_READ),
  /** Adds 1 to 8 bytes at the peer. */
  FETCH_AND_ADD(AccessFlag.REMOTE_ATOMIC);

  private final Set<AccessFlag> access;

  Verb(AccessFlag remote) {
    this.access = Set.of(AccessFlag.LOCAL_WRITE, remote);
  }

  /** The rights that the serving side gives to its memory. */
  Set<AccessFlag> access() {
    return access;
  }

  /** Whether it uses the room that a connection has for reads and atomic operations. */
  boolean needsInitiatorDepth() {
    return this == READ || this == FETCH_AND_ADD;
  }

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
