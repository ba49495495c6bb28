package io.vertxrdma.soft.cm;

import io.vertxrdma.core.PortSpace;
import java.net.InetAddress;

/** Finds listeners; called under the device lock. */
public interface CmDirectory {

  /** Who listens there, or null. */
  CmListener listener(PortSpace space, int port, InetAddress local);

  /** Whether somebody listens on that port of any address. */
  boolean isListening(PortSpace space, int port);
}
