package io.vertxrdma.tools.selftest;

import java.util.List;

/** Everything that is checked, in order. */
final class Checks {

  private Checks() {}

  /** All of them. */
  static List<Check> all() {
    return List.of(
        new Check("private data, both ways", ConnectChecks::privateData),
        new Check("a rejection and its reason", ConnectChecks::rejection),
        new Check("immediates, client to server", WriteChecks::immediatesToServer),
        new Check("immediates, server to client", WriteChecks::immediatesToClient),
        new Check("64 KiB with immediate, client to server", WriteChecks::payloadToServer),
        new Check("64 KiB with immediate, server to client", WriteChecks::payloadToClient),
        new Check("writes of no bytes, both ways", WriteChecks::zeroLength),
        new Check("writes wait for receives, none is lost", FlowChecks::refill),
        new Check("messages, both ways", FlowChecks::messages),
        new Check("64 KiB read", MemoryChecks::read),
        new Check("fetch-and-add", MemoryChecks::fetchAndAdd),
        new Check("compare-and-swap", MemoryChecks::compareAndSwap),
        new Check("a wrong key is refused", MemoryChecks::wrongKey));
  }
}
