package io.vertxrdma.soft.transport;

/** Something made on a soft device, with its users; closed once, under the device lock. */
abstract class SoftObject implements AutoCloseable {

  final Engine engine;
  final UseCount users;
  private final String description;
  private volatile boolean open = true;

  SoftObject(Engine engine, String kind) {
    this.engine = engine;
    this.description = kind + " of " + engine.name();
    this.users = new UseCount(description);
    engine.objectMade();
  }

  /**
   * Checks that it can be used.
   *
   * @throws IllegalStateException when closed
   */
  final void requireOpen() {
    if (!open) {
      throw new IllegalStateException(description + " is closed");
    }
  }

  final boolean isOpen() {
    return open;
  }

  @Override
  public final void close() {
    engine.enter();
    try {
      if (open) {
        users.close();
        open = false;
        destroy();
        engine.objectClosed();
      }
    } finally {
      engine.leave();
    }
  }

  /** Takes it out of the device; called once, under the lock. */
  abstract void destroy();

  @Override
  public final String toString() {
    return open ? description : description + " (closed)";
  }
}
