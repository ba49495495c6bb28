/**
 * The chat in a browser: a page, and a WebSocket for each that is open. A browser is a member like
 * those that come over RDMA, on a {@link io.vertxrdma.demos.chat.room.Seat}.
 */
package io.vertxrdma.demos.chat.web;
