/**
 * The {@code vertx-rdma} command. {@link io.vertxrdma.tools.Main} runs it; other jars add
 * subcommands through {@link io.vertxrdma.tools.CommandProvider}.
 */
package io.vertxrdma.tools;
