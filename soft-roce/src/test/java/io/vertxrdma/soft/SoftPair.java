package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.cm.CmOptions;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;

/** Two providers, as two processes would have, over real sockets; the steps of a connection. */
abstract class SoftPair {

  static final int SUCCESS = 0;
  static final int RECV_RDMA_WITH_IMM = 129;

  final int udpPort = Spi.freeUdpPort();
  final SoftProviderOptions options =
      new SoftProviderOptions()
          .setUdpPort(udpPort)
          .setConnectionManagement(new CmOptions(200, 200, 3, 10, 64, 64));
  final Spi server = new Spi(new SoftProvider(options));
  final Spi client = new Spi(new SoftProvider(options));
  CmId listener;
  CmId asking;
  CmEvent request;
  Spi.Verbs there;
  Spi.Verbs here;

  @AfterEach
  void everything_is_closed_and_the_sockets_are_free() throws Exception {
    client.close();
    server.close();
    assertThat(client.provider.devices()).allMatch(device -> !((SoftDevice) device).isOpen());
    assertThat(server.provider.devices()).allMatch(device -> !((SoftDevice) device).isOpen());
    socketIsFree("127.0.0.1");
  }

  void socketIsFree(String address) throws SocketException {
    try (DatagramSocket probe = new DatagramSocket(null)) {
      probe.bind(Spi.at(address, udpPort));
    }
  }

  InetSocketAddress listening(Spi who) {
    listener = who.listen("127.0.0.1");
    return listener.localAddress();
  }

  void ask(Spi who, byte[] data) {
    InetSocketAddress to = listening(server);
    asking = who.resolved(PortSpace.TCP, to);
    here = who.verbs(asking);
    asking.connect(Spi.param(data));
    request = requested();
  }

  CmEvent requested() {
    CmEvent event = server.next(CmEventType.CONNECT_REQUEST);
    server.track(event.id());
    return event;
  }

  void accept(byte[] data) {
    there = server.verbs(request.id());
    there.postReceive(7);
    request.id().accept(Spi.param(data));
  }

  void connect(Spi who) {
    ask(who, new byte[0]);
    accept(new byte[0]);
    establish(who);
  }

  void establish(Spi who) {
    CmEvent first = who.next(CmEventType.ESTABLISHED);
    CmEvent second = server.next(CmEventType.ESTABLISHED);
    assertThat(Arrays.asList(first.id(), second.id())).contains(request.id(), asking);
  }

  void writeWithImmediateArrives() {
    here.write("hello", there, 0xDEADBEEF);
    WorkCompletions received = there.completion();
    assertThat(received.status(0)).isEqualTo(SUCCESS);
    assertThat(received.opcode(0)).isEqualTo(RECV_RDMA_WITH_IMM);
    assertThat(received.immediate(0)).isEqualTo(0xDEADBEEF);
    assertThat(there.text(5)).isEqualTo("hello");
    assertThat(here.completion().status(0)).isEqualTo(SUCCESS);
  }
}
