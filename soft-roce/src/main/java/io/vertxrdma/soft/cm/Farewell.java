package io.vertxrdma.soft.cm;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * What a peer has to be told when this process ends without having closed its connection.
 *
 * @param peer who has to be told
 * @param mad 256 bytes for queue pair 1
 */
public record Farewell(InetAddress peer, ByteBuffer mad) {}
