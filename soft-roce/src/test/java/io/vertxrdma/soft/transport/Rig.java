package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftDeviceOptions;

/** Two ends on a fake network, connected as the test wants it. */
final class Rig {

  static final int ALL_REMOTE_ACCESS =
      Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  final FakeNetwork network = new FakeNetwork();
  final End client;
  final End server;
  int mtu = 1024;
  int clientPsn = 0x1000;
  int serverPsn = 0x2000;
  int timeout = 14;
  int retryCount = 7;
  int clientRnrRetryCount = 7;
  int serverRnrRetryCount = 7;
  int readDepth = 16;
  int serverReadDepth = 16;
  int remoteAccess = ALL_REMOTE_ACCESS;

  Rig() {
    this(SoftDeviceOptions.DEFAULT);
  }

  Rig(SoftDeviceOptions options) {
    client = new End(network, "10.0.0.1", options);
    server = new End(network, "10.0.0.2", options);
  }

  /** Connects both, creating the queue pairs that don't exist. */
  Rig connect() {
    if (client.pair == null) {
      client.createPair();
    }
    if (server.pair == null) {
      server.createPair();
    }
    client.pair.connect(
        new ConnectionSetup(
            server.address,
            server.pair.number(),
            clientPsn,
            serverPsn,
            mtu,
            readDepth,
            readDepth,
            timeout,
            retryCount,
            clientRnrRetryCount,
            remoteAccess));
    server.pair.connect(
        new ConnectionSetup(
            client.address,
            client.pair.number(),
            serverPsn,
            clientPsn,
            mtu,
            serverReadDepth,
            serverReadDepth,
            timeout,
            retryCount,
            serverRnrRetryCount,
            remoteAccess));
    return this;
  }

  /** Short RNR waits on both sides, 0.64 ms. */
  Rig shortWaits() {
    client.pair.setMinRnrTimer(12);
    server.pair.setMinRnrTimer(12);
    return this;
  }

  void deliver() {
    network.deliver();
  }
}
