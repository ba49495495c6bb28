/**
 * What servers, clients and connections count and time. {@link
 * io.vertxrdma.reactive.metrics.RdmaMetrics} is what an implementation gets; set it with {@code
 * RdmaOptions.setMetrics}.
 */
package io.vertxrdma.reactive.metrics;
