/**
 * The {@code selftest} command: a server and a client in one process try everything that
 * connections are used for, and compare what comes with what was meant to.
 */
package io.vertxrdma.tools.selftest;
