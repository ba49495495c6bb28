/**
 * The {@code ping} command: the protocol of rping, the example program of librdmacm, so that either
 * side may be that.
 */
package io.vertxrdma.tools.ping;
