package io.vertxrdma.soft.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.io.ManualTimers;
import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.wire.CmMessage;
import io.vertxrdma.soft.wire.CmRep;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmReqBuilder;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A network of CM agents in memory: datagrams wait in line until a test delivers them. */
final class CmNet {

  static final int PORT = 18515;
  static final int OTHER_PORT = 18516;
  static final int ACK_TIMEOUT = 17;

  final ManualTimers timers = new ManualTimers();
  final List<String> sent = new ArrayList<>();
  private final ArrayDeque<Datagram> waiting = new ArrayDeque<>();
  private final Map<InetAddress, Node> nodes = new HashMap<>();
  private Predicate<Datagram> lost = datagram -> false;

  /** One management datagram on its way. */
  record Datagram(InetAddress source, InetAddress destination, ByteBuffer bytes) {

    CmMessage message() {
      return mad().message();
    }

    Mad mad() {
      return Mad.decode(bytes.duplicate()).mad();
    }

    String name() {
      return message().getClass().getSimpleName().substring(2).toUpperCase();
    }
  }

  static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  Node node(String address) {
    return node(address, CmOptions.DEFAULT);
  }

  Node node(String address, CmOptions options) {
    Node node = new Node(ip(address), options);
    nodes.put(node.address, node);
    return node;
  }

  /** Loses what a test says. */
  void lose(Predicate<Datagram> which) {
    lost = which;
  }

  /** Loses the next message of a name. */
  void loseNext(String name) {
    lost =
        datagram -> {
          if (!datagram.name().equals(name)) {
            return false;
          }
          lost = next -> false;
          return true;
        };
  }

  /** Delivers what waits, and what comes of it. */
  void deliver() {
    Datagram next;
    while ((next = waiting.poll()) != null) {
      if (!lost.test(next)) {
        arrive(next);
      }
    }
  }

  /** What waits, taken off the wire. */
  Datagram take() {
    return waiting.remove();
  }

  boolean isQuiet() {
    return waiting.isEmpty();
  }

  void arrive(Datagram datagram) {
    Node node = nodes.get(datagram.destination);
    if (node != null) {
      node.agent.datagram(datagram.source, datagram.bytes.duplicate());
    }
  }

  /** Moves the clock, delivering after each timeout. */
  void pass(long millis) {
    long until = timers.nanoTime() + millis * 1_000_000;
    while (timers.nanoTime() < until) {
      timers.advance(Math.min(1_000_000, until - timers.nanoTime()));
      deliver();
    }
  }

  List<String> takeSent() {
    List<String> copy = List.copyOf(sent);
    sent.clear();
    return copy;
  }

  /** One device with its agent, its listeners and what they were told. */
  final class Node implements CmPort, CmDirectory {

    final InetAddress address;
    final CmAgent agent;
    final SoftCounters counters = new SoftCounters();
    final Map<Integer, Listener> listeners = new HashMap<>();
    private int nextQpn = 0x100;

    private Node(InetAddress address, CmOptions options) {
      this.address = address;
      this.agent = new CmAgent(this, options, address.hashCode() * 0x1_0000_0001L, this);
    }

    Listener listen(int port) {
      Listener listener = new Listener();
      listeners.put(port, listener);
      return listener;
    }

    User connect(Node to) {
      return connect(to, PORT, nextQpn++);
    }

    User connect(Node to, int port, int qpn) {
      User user = new User();
      user.connection = agent.connect(to.address, request(to, port, qpn), ACK_TIMEOUT, user);
      return user;
    }

    CmReqBuilder request(Node to, int port, int qpn) {
      return CmReq.builder()
          .serviceId(ServiceId.of(PortSpace.TCP, port))
          .localQpn(qpn)
          .startingPsn(0x111)
          .localGid(address)
          .remoteGid(to.address)
          .privateData(new CmaHeader(5555, address, to.address).before(new byte[] {'h', 'i'}));
    }

    CmRep reply(CmConnection to) {
      return new CmRep(
          to.localId(),
          to.remoteId(),
          nextQpn++,
          0x222,
          1,
          2,
          0,
          false,
          7,
          false,
          agent.caGuid(),
          new byte[] {'y', 'o'});
    }

    /** Sends a message that no connection of this node knows of. */
    void forge(Node to, long transaction, CmMessage message) {
      arrive(new Datagram(address, to.address, new Mad(transaction, message).encode()));
      deliver();
    }

    @Override
    public InetAddress localAddress() {
      return address;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void send(InetAddress destination, ByteBuffer mad) {
      ByteBuffer copy = ByteBuffer.allocate(mad.remaining()).put(mad.duplicate()).flip();
      Datagram datagram = new Datagram(address, destination, copy);
      sent.add(datagram.name());
      waiting.add(datagram);
    }

    @Override
    public Timers timers() {
      return timers;
    }

    @Override
    public int maxPathMtuCode() {
      return 5;
    }

    @Override
    public SoftCounters counters() {
      return counters;
    }

    @Override
    public CmListener listener(PortSpace space, int port, InetAddress local) {
      return space == PortSpace.TCP == (port != OTHER_PORT) ? listeners.get(port) : null;
    }

    @Override
    public boolean isListening(PortSpace space, int port) {
      return listeners.containsKey(port);
    }
  }

  /** Takes requests as long as it has room. */
  static final class Listener implements CmListener {

    final List<User> requests = new ArrayList<>();
    final List<SidrRequest> lookups = new ArrayList<>();
    int room = Integer.MAX_VALUE;

    @Override
    public boolean requested(CmConnection connection, CmReq request, CmaHeader header) {
      if (requests.size() >= room) {
        return false;
      }
      User user = new User();
      user.connection = connection;
      user.request = request;
      connection.setUser(user);
      requests.add(user);
      return true;
    }

    @Override
    public boolean requested(SidrRequest sidr, CmSidrReq request, CmaHeader header) {
      return lookups.size() < room && lookups.add(sidr);
    }

    User only() {
      assertThat(requests).hasSize(1);
      return requests.get(0);
    }
  }

  /** Writes down what it is told. */
  static final class User implements CmUser {

    final List<String> told = new ArrayList<>();
    CmConnection connection;
    CmReq request;
    CmRep reply;

    CmState state() {
      return connection.state();
    }

    @Override
    public void replied(CmRep reply) {
      this.reply = reply;
      told.add("replied");
    }

    @Override
    public void established() {
      told.add("established");
    }

    @Override
    public void rejected(int reason, byte[] privateData) {
      told.add("rejected " + reason);
    }

    @Override
    public void unreachable() {
      told.add("unreachable");
    }

    @Override
    public void disconnected(int status) {
      told.add("disconnected " + status);
    }

    @Override
    public void timewaitExit() {
      told.add("timewait exit");
    }
  }
}
