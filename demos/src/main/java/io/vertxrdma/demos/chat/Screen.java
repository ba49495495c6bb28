package io.vertxrdma.demos.chat;

/** Where a member sees the chat. Called on the event loop; must not block. */
interface Screen {

  /**
   * Shows something.
   *
   * @param shown run once afterwards: what waits for it holds its slot of the ring
   */
  void show(Shown what, Runnable shown);

  /** The member is in that room from now on. */
  void room(String name);
}
