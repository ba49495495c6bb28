/**
 * The soft provider: RoCEv2 and the InfiniBand connection manager in Java over UDP.
 *
 * <h2>Trust</h2>
 *
 * <p>RoCEv2 authenticates nobody. What keeps strangers out is what a packet has to get right: the
 * connection's source address, the queue pair number, a packet sequence number in the window, the
 * P_Key, for datagrams the Q_Key, for memory the remote key; a connection management message the
 * communication ids and the address of the peer they belong to. Sequence numbers, remote keys and
 * the first communication id come from {@link java.security.SecureRandom}. Whoever can read the
 * traffic, or is let send with a peer's address and guesses all numbers, can do what the peer can:
 * devices are on loopback addresses unless others are allowed ({@link
 * io.vertxrdma.soft.SoftProviderOptions}), and those belong on a network of one's own.
 *
 * <p>A packet that is not for us is dropped and counted by its reason ({@link
 * io.vertxrdma.soft.SoftCounters}). Requests that are not established yet are bounded per listener
 * and per source address ({@link io.vertxrdma.soft.cm.CmOptions}); one too many is dropped in
 * silence and counted, as the kernel does, and a real client asks again. An address may be forged,
 * so nothing unanswered makes much traffic: a management datagram of 256 bytes is answered with one
 * of 256 bytes or none, but for a request that the application accepts, whose reply is sent sixteen
 * times at most, half a second apart or more.
 *
 * <h2>The end of a process</h2>
 *
 * <p>A JVM that ends with connections open ({@code System.exit}, SIGTERM, its last thread) tells
 * the peers, as the kernel does for native ones; see {@link
 * io.vertxrdma.soft.SoftProviderOptions#setExitGraceMillis}. One that is killed (SIGKILL, a crash,
 * a power cut) can't: the kernel has no part in its connections. Its peers notice when an operation
 * of theirs has used up its retries, and while they send nothing they don't notice at all.
 */
package io.vertxrdma.soft;
