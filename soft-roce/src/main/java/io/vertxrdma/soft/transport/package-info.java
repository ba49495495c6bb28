/**
 * The transport of a soft device: protection domains, memory, queues and queue pairs, and the
 * reliable connection and unreliable datagram services over a {@link io.vertxrdma.soft.io.Link}.
 */
package io.vertxrdma.soft.transport;
