/** The soft provider: RoCEv2 and the InfiniBand connection manager in Java over UDP. */
package io.vertxrdma.soft;
