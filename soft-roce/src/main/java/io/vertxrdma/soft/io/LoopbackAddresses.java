package io.vertxrdma.soft.io;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.Errno;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/**
 * Chooses an address of 127.0.0.0/8 for a client whose server has another one: two processes on one
 * host can't share an address, since both need UDP port 4791.
 */
public final class LoopbackAddresses {
  private static final int TRIES = 16;

  private LoopbackAddresses() {}

  /**
   * An address of 127.0.0.0/8 whose UDP port is free at this moment. At random, so that many
   * clients starting at once rarely meet; whoever still meets another gets {@link
   * io.vertxrdma.core.AddressInUseException} from opening the link, and asks again.
   *
   * @throws AddressException when none is free (the kernel's rxe has the port on all addresses), or
   *     the host has only 127.0.0.1
   */
  public static InetAddress free(int port, RandomGenerator random) {
    Errno last = Errno.EADDRINUSE;
    InetAddress address = null;
    for (int i = 0; i < TRIES; i++) {
      address = random(random);
      try (DatagramSocket probe = new DatagramSocket(null)) {
        probe.setReuseAddress(false);
        probe.bind(new InetSocketAddress(address, port));
        return address;
      } catch (SocketException e) {
        String text = String.valueOf(e.getMessage());
        last = text.contains(Errno.EADDRINUSE.text()) ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL;
      }
    }
    throw SocketFailures.of(last, address, port);
  }

  /** Never 127.0.0.1, which servers have, and no number that looks like a network's own. */
  private static InetAddress random(RandomGenerator random) {
    byte[] raw = {
      127,
      (byte) random.nextInt(1, 255),
      (byte) random.nextInt(1, 255),
      (byte) random.nextInt(1, 255)
    };
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("four bytes are an address", impossible);
    }
  }
}
