/** Benchmarks through the public API, with both sides, sockets and processes. */
package io.vertxrdma.benchmarks.endtoend;
