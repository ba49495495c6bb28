package io.vertxrdma.tools;

import java.util.List;
import picocli.CommandLine;

/** Contributes subcommands to {@link Main}; found with {@link java.util.ServiceLoader}. */
public interface CommandProvider {

  /**
   * Makes the subcommands, with subcommands of their own already added.
   *
   * @param environment where commands print and where they find RDMA providers
   */
  List<CommandLine> commands(Environment environment);
}
