/** Packets in and out over UDP, timers on the same event loop, injected faults. */
package io.vertxrdma.soft.io;
