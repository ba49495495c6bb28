/**
 * The connection manager's event channel and the completion channels as event sources of a Vert.x
 * event loop, and the rules of connecting: parameters, negotiation, private data limits, the
 * connection state machine.
 */
package io.vertxrdma.cm;
