/**
 * Verbs and the RDMA connection manager as Java objects: the service provider interface that the
 * native and the soft provider implement.
 *
 * <p>The interfaces are synchronous, do not block unless they say so, and hold no policy: clamping,
 * deadlines, retries and credits live in the layers above. None of the objects is thread-safe
 * unless it says so; the layers above confine each to one event loop. Every call on a closed object
 * throws {@link java.lang.IllegalStateException}.
 */
package io.vertxrdma.core;
