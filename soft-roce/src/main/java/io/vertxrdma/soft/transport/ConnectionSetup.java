package io.vertxrdma.soft.transport;

import java.net.InetAddress;

/**
 * What the connection manager tells a queue pair to connect it (RTR and RTS of ibv_modify_qp(3)).
 *
 * @param remoteAddress the peer
 * @param remoteQueuePairNumber the peer's queue pair, 24 bits
 * @param sendPsn the first packet sequence number to send: the one the peer said it expects, 24
 *     bits
 * @param receivePsn the first one to expect: the one we told the peer, 24 bits
 * @param pathMtu 256, 512, 1024, 2048 or 4096
 * @param maxReadAtomic READ and ATOMIC requests we may have outstanding, 0..255
 * @param maxDestinationReadAtomic READ and ATOMIC requests we serve at once, 0..255
 * @param timeout local ACK timeout code 0..31, 0 for none
 * @param retryCount 0..7
 * @param rnrRetryCount 0..7, 7 without end
 * @param remoteAccess bits of {@link io.vertxrdma.core.AccessFlag} that the peer may use at all
 */
public record ConnectionSetup(
    InetAddress remoteAddress,
    int remoteQueuePairNumber,
    int sendPsn,
    int receivePsn,
    int pathMtu,
    int maxReadAtomic,
    int maxDestinationReadAtomic,
    int timeout,
    int retryCount,
    int rnrRetryCount,
    int remoteAccess) {}
