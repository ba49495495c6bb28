package io.vertxrdma.demos;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Gives the soft provider of a test's processes a UDP port that nobody has. */
public final class SoftUdpPort implements BeforeEachCallback, AfterEachCallback {

  private static final String PROPERTY = "vertx.rdma.soft.udpPort";

  private String before;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    before = System.getProperty(PROPERTY);
    try (DatagramSocket free =
        new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))) {
      System.setProperty(PROPERTY, String.valueOf(free.getLocalPort()));
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }
}
