/** The {@code watch} command: events of devices and the counters that move, as it happens. */
package io.vertxrdma.tools.watch;
