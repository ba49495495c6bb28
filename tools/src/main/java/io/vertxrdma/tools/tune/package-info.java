/**
 * Finds good parameters for the connections between two machines: {@code vertx-rdma tune}. Connects
 * anew for each number of operations under way, measures for a short time, and looks for the knee.
 *
 * <p>Each step is a connection of its own, whose private data say what it is about ({@link
 * io.vertxrdma.tools.tune.Step}); the server keeps nothing from one to the next.
 */
package io.vertxrdma.tools.tune;
