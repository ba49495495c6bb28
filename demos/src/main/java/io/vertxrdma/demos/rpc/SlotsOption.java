package io.vertxrdma.demos.rpc;

import io.vertxrdma.demos.Arguments;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many calls may be open, and how large their messages; a mixin. */
final class SlotsOption {

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "Calls that are open at once; of both sides the smaller number counts. Default:"
              + " ${DEFAULT-VALUE}.")
  private int slots;

  @Option(
      names = "--slot-size",
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Bytes of a message that comes here; default: ${DEFAULT-VALUE}.")
  private int slotSize;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses what is out of range. */
  RpcOptions options() {
    Arguments.range(command, "--slots", slots, 1, RpcOptions.MAX_SLOTS);
    Arguments.range(
        command, "--slot-size", slotSize, RpcOptions.MIN_SLOT_SIZE, RpcOptions.largestSlot(slots));
    return new RpcOptions(slots, slotSize);
  }
}
