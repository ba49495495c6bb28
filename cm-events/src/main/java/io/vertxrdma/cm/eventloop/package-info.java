/**
 * Event sources in the event loop of a Vert.x context: the only package that knows Netty's epoll
 * transport.
 */
package io.vertxrdma.cm.eventloop;
