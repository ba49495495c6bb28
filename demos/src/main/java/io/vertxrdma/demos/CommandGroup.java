package io.vertxrdma.demos;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only groups others; a base class. */
public abstract class CommandGroup implements Callable<Integer> {

  private final String commands;

  @Spec private CommandSpec spec;

  /** Groups these, named for the one who gave none. */
  protected CommandGroup(String commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() {
    throw Arguments.wrong(spec, "a command is missing: " + commands);
  }
}
