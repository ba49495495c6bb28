package io.vertxrdma.core;

/**
 * Something that becomes readable now and then and wants an event loop to look.
 *
 * <p>A source either has a file descriptor, which the loop watches level-triggered, or it calls a
 * listener. After either signal the loop reads the source until it is empty.
 */
public interface EventSource {

  /** A non-blocking descriptor that polls readable, or -1 when the source calls its listener. */
  int fileDescriptor();

  /**
   * Sets what to call, from any thread, each time this source goes from empty to readable. Sources
   * with a descriptor never call it.
   */
  void setReadableListener(Runnable listener);
}
