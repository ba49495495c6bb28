package io.vertxrdma.tools;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What a command has of the world: its three streams and the RDMA providers.
 *
 * @param in standard input
 * @param out results
 * @param err everything else
 * @param providers the providers, available or not
 */
public record Environment(
    InputStream in, PrintWriter out, PrintWriter err, Supplier<List<RdmaProvider>> providers) {

  /** Checks that nothing is null. */
  public Environment {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(err, "err");
    Objects.requireNonNull(providers, "providers");
  }

  /** This process's own streams, in UTF-8, and the providers on the class path. */
  public static Environment ofProcess() {
    return new Environment(
        System.in, writer(FileDescriptor.out), writer(FileDescriptor.err), RdmaProviders::all);
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
