/**
 * RDMA for Vert.x and RxJava applications: {@link io.vertxrdma.reactive.RdmaServer}, {@link
 * io.vertxrdma.reactive.RdmaClient} and {@link io.vertxrdma.reactive.RdmaConnection}.
 *
 * <p>What completes once returns a Vert.x {@code Future} and has an {@code rx} twin, a cold {@code
 * Single} or {@code Completable}; what goes on is a {@code Flowable} and has a {@code ReadStream}
 * twin. Misuse throws at once: {@link java.lang.IllegalArgumentException} naming the limit and the
 * value, {@link java.lang.IllegalStateException} for a call in the wrong state. Failures of the
 * network are {@link io.vertxrdma.core.RdmaException}s in the Future or stream, once.
 */
package io.vertxrdma.reactive;
