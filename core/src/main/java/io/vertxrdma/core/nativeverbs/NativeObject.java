package io.vertxrdma.core.nativeverbs;

/**
 * A native object with one owner: its address, which is gone once closed, and its users.
 *
 * <p>Cold operations hold the object's monitor, so a concurrent close can't pull the memory from
 * under them. Posting, polling and arming don't, for speed: the layer above stops them before it
 * closes; the address is cleared before the native destroy, so a late one throws.
 */
abstract class NativeObject implements AutoCloseable {

  final NativeCalls calls;
  final UseCount users;
  private final String description;
  private volatile long pointer;

  NativeObject(NativeCalls calls, String description, long pointer) {
    this.calls = calls;
    this.description = description;
    this.users = new UseCount(description);
    this.pointer = pointer;
  }

  /**
   * The native address.
   *
   * @throws IllegalStateException when closed
   */
  final long pointer() {
    long address = pointer;
    if (address == 0) {
      throw new IllegalStateException(description + " is closed");
    }
    return address;
  }

  final String description() {
    return description;
  }

  final boolean isOpen() {
    return pointer != 0;
  }

  /** Whether this is the open object at that address. */
  final boolean isAt(long address) {
    return pointer == address && address != 0;
  }

  @Override
  public void close() {
    closeOnce();
  }

  final synchronized void closeOnce() {
    long address = pointer;
    if (address == 0) {
      return;
    }
    users.close();
    pointer = 0;
    try {
      destroy(address);
    } catch (RuntimeException failure) {
      // The object still exists: whoever removes the cause can close again.
      pointer = address;
      users.reopen();
      throw failure;
    }
  }

  /** Destroys the native object and tells the owner; called once. */
  abstract void destroy(long address);

  @Override
  public String toString() {
    return isOpen() ? description : description + " (closed)";
  }
}
