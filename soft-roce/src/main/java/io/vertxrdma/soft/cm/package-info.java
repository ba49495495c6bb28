/** The InfiniBand connection manager on queue pair 1: connections, service id resolution. */
package io.vertxrdma.soft.cm;
