package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AccessFlag;

/** The bits of {@link AccessFlag} as constants for the hot path. */
final class Access {
  static final int LOCAL_WRITE = 1;
  static final int REMOTE_WRITE = 2;
  static final int REMOTE_READ = 4;
  static final int REMOTE_ATOMIC = 8;

  private Access() {}
}
