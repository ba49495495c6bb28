/**
 * Measures a verb against another process: {@code vertx-rdma bench}, or, for writes with immediate,
 * any program that speaks the same small protocol.
 *
 * <p>The private data of both sides is 16 bytes, big-endian: address (8), key (4) and length (4) of
 * an inbox. The immediates of each direction are 0, 1, 2 and so on. Of the other verbs the server
 * only offers memory and receives; the client closes when all is done.
 */
package io.vertxrdma.tools.bench;
