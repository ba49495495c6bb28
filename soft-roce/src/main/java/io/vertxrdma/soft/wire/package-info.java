/** The wire format: transport headers, the invariant CRC, connection manager messages. */
package io.vertxrdma.soft.wire;
