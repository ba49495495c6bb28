package io.vertxrdma.tools.verbs;

/**
 * What a {@link VerbsConnection} is made of.
 *
 * @param sendDepth operations under way at most, 1 or more
 * @param receiveDepth receives posted, 1 or more
 * @param messageSize bytes of the longest message that can come, 1 or more
 * @param memorySize bytes of registered memory, 1 or more
 */
public record VerbsOptions(int sendDepth, int receiveDepth, int messageSize, int memorySize) {

  /** Checks that everything is 1 or more. */
  public VerbsOptions {
    check("sendDepth", sendDepth);
    check("receiveDepth", receiveDepth);
    check("messageSize", messageSize);
    check("memorySize", memorySize);
  }

  private static void check(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
    }
  }
}
