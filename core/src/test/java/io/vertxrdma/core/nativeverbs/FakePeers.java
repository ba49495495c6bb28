package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.nativeverbs.FakeModel.Id;
import io.vertxrdma.core.nativeverbs.FakeModel.State;

/** The network of the fake: joins ids that connect to a listener of the same fake. */
final class FakePeers {

  private final FakeNativeCalls fake;

  FakePeers(FakeNativeCalls fake) {
    this.fake = fake;
  }

  void connect(Id client) {
    Id listener = listenerFor(client);
    if (fake.events.hasReply("rdma_connect")) {
      fake.events.reply("rdma_connect", client, 9);
    } else if (listener != null) {
      FakeEvent request = request(listener);
      request.client = client;
      request.params = FakeParams.mirrored(client.own, true);
      request.from = client.local;
      request.enqueue();
    } else if (fake.loopbackOnly) {
      rejected(client, 8, new byte[0]);
    } else {
      FakeEvent established = new FakeEvent(client, fake.events::enqueue).type(9);
      established.params.rnrRetryCount = 7;
      established.params.responderResources = client.own.responderResources;
      established.params.initiatorDepth = client.own.initiatorDepth;
      established.params.qpNumber = 0x11;
      established.enqueue();
    }
  }

  private Id listenerFor(Id client) {
    for (Id id : fake.model.ids.values()) {
      if (id.state == State.LISTENING
          && id.portSpace == client.portSpace
          && id.local.getPort() == client.remote.getPort()
          && (id.local.getAddress().isAnyLocalAddress()
              || id.local.getAddress().equals(client.remote.getAddress()))) {
        return id;
      }
    }
    return null;
  }

  /**
   * A CONNECT_REQUEST for a listener, with the counts that C programs send; the new id is made when
   * it is fetched.
   */
  FakeEvent request(Id listener) {
    FakeEvent event =
        new FakeEvent(null, fake.events::enqueue).type(4).retryCount(7).rnrRetryCount(7);
    event.listener = listener;
    return event;
  }

  private static boolean isDatagram(Id id) {
    return id.portSpace == FakeDatagrams.UDP_PORT_SPACE;
  }

  void accept(Id server) {
    if (isDatagram(server)) {
      answer(server);
      return;
    }
    if (fake.events.hasReply("rdma_accept") || server.peer == null) {
      fake.events.reply("rdma_accept", server, 9);
      return;
    }
    FakeEvent response = new FakeEvent(server.peer, fake.events::enqueue).type(9);
    response.params = FakeParams.mirrored(server.own, false);
    // librdmacm sends the RTU when the client fetches; only then the server is established.
    response.whenFetched =
        () -> {
          if (fake.model.ids.containsKey(server.pointer)) {
            new FakeEvent(server, fake.events::enqueue).type(9).enqueue();
          }
        };
    response.enqueue();
  }

  /** The one answer of a datagram service; nobody tells the server whether it arrived. */
  private void answer(Id server) {
    if (server.peer != null && fake.model.ids.containsKey(server.peer.pointer)) {
      FakeEvent answer = new FakeEvent(server.peer, fake.events::enqueue).type(9);
      answer.params.privateData = server.own.privateData;
      answer.params.qpNumber = server.own.qpNumber;
      answer.enqueue();
    }
  }

  void reject(Id server, byte[] data) {
    if (server.peer != null) {
      rejected(server.peer, 28, data);
      server.peer = null;
    }
  }

  void rejected(Id client, int reason, byte[] data) {
    boolean iwarp = client.device != null && client.device.isIwarp();
    if (fake.model.ids.containsKey(client.pointer) && isDatagram(client)) {
      // A datagram id has no REJECTED; its status is that of the answer, 1 when nobody listens.
      new FakeEvent(client, fake.events::enqueue)
          .type(7)
          .status(reason == 8 ? 1 : 2)
          .privateData(data)
          .enqueue();
    } else if (fake.model.ids.containsKey(client.pointer)) {
      new FakeEvent(client, fake.events::enqueue)
          .type(8)
          .status(iwarp ? -111 : reason)
          .privateData(data)
          .enqueue();
    }
    client.peer = null;
  }

  void disconnect(Id id) {
    boolean again = id.disconnecting;
    id.disconnecting = true;
    if (isDatagram(id)) {
      // Nothing is connected.
      return;
    }
    if (fake.events.hasReply("rdma_disconnect")) {
      if (!again) {
        fake.events.reply("rdma_disconnect", id, 10);
      }
    } else if (id.peer == null) {
      if (!again && id.state == State.CONNECTED) {
        disconnected(id);
      }
    } else if (!again) {
      tellPeer(id);
    }
  }

  /** A DREQ, or the DREP that the peer waits for. */
  private void tellPeer(Id id) {
    Id peer = id.peer;
    if (id.peerDisconnected) {
      // The answer to the peer's DREQ ends it on both sides.
      if (peer.disconnecting) {
        disconnected(peer);
      }
    } else if (!peer.peerDisconnected) {
      peer.peerDisconnected = true;
      disconnected(peer);
    }
  }

  private void disconnected(Id id) {
    if (fake.model.ids.containsKey(id.pointer)) {
      new FakeEvent(id, fake.events::enqueue).type(10).enqueue();
      if (fake.timewaitExit) {
        new FakeEvent(id, fake.events::enqueue).type(15).enqueue();
      }
    }
  }

  void destroyed(Id id) {
    Id peer = id.peer;
    if (peer == null) {
      return;
    }
    switch (id.state) {
      case REQUESTED -> rejected(peer, 28, new byte[0]);
      case CONNECTING -> {
        if (peer.state == State.ACCEPTED) {
          rejected(peer, 28, new byte[0]);
        } else {
          peer.peerGone = true;
        }
      }
      default -> {
        if (!id.disconnecting && !isDatagram(id)) {
          tellPeer(id);
        }
      }
    }
    peer.peer = null;
  }
}
