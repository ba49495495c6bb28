/**
 * Sends, reads and writes of one connection as futures, over the provider interface: for commands
 * that speak the protocols of other programs, which the reactive API has no use for.
 */
package io.vertxrdma.tools.verbs;
