package io.vertxrdma.demos.chat;

import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.DemoProcess;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.DeviceAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A chat of three hubs, each with a member: one hub is killed, and comes back. */
final class HubsScript {

  private final Cast cast;
  private final RdmaProvider provider;
  private final String address;
  private final int firstPort;
  private final List<String> clusters = new ArrayList<>();

  /**
   * A script that has not begun.
   *
   * @param address for all hubs; null for one of the provider's devices, a soft one for each
   * @param firstPort of the first hub; the others have the next ones
   */
  HubsScript(Cast cast, RdmaProvider provider, String address, int firstPort) {
    this.cast = cast;
    this.provider = provider;
    this.address = address;
    this.firstPort = firstPort;
  }

  /** A hub: a process, and where its members find it. */
  private record Place(DemoProcess process, String address, int port) {}

  private Place hub(int number) throws InterruptedException {
    List<String> options = new ArrayList<>(List.of("--room", "demo", "--heartbeat", "500"));
    options.addAll(List.of("--cluster", clusters.get(number)));
    for (String other : clusters) {
      if (!other.equals(clusters.get(number))) {
        options.addAll(List.of("--with", other));
      }
    }
    String host = address == null ? DeviceAddress.of(provider) : address;
    int port = firstPort + number;
    DemoProcess process =
        cast.hub("hub" + (number + 1), host, port, options.toArray(String[]::new));
    return new Place(process, host, port);
  }

  private DemoProcess member(String nick, Place hub) throws InterruptedException {
    return cast.member(nick, hub.address(), hub.port());
  }

  void play() throws InterruptedException {
    while (clusters.size() < 3) {
      String cluster = "127.0.0.1:" + freePort();
      if (!clusters.contains(cluster)) {
        clusters.add(cluster);
      }
    }
    Place one = hub(0);
    Place two = hub(1);
    Place three = hub(2);
    DemoProcess ada = member("ada", one);
    DemoProcess bob = member("bob", two);
    ada.sees("bob joined");
    DemoProcess eve = member("eve", three);
    ada.sees("eve joined");
    bob.sees("eve joined");
    ada.types("one room, three hubs, RDMA between them");
    bob.sees("ada: one room");
    eve.sees("ada: one room");
    eve.types("/who");
    String who = eve.sees("here: ");
    for (String nick : List.of("ada", "bob", "eve")) {
      if (!who.contains(nick)) {
        throw new CommandFailure(nick + " is missing in: " + who);
      }
    }
    cast.says("hub2 is killed");
    two.process().kill();
    ada.sees("bob is gone: hub");
    eve.sees("bob is gone: hub");
    if (bob.exitStatus() == 0) {
      throw new CommandFailure("bob did not notice that his hub was gone");
    }
    eve.types("we are still here");
    ada.sees("eve: we are still here");
    cast.says("hub2 is back: it READs the history from another hub's memory");
    Place again = hub(1);
    again.process().sees("joined, 2 here");
    DemoProcess back = cast.late("bob", again.address(), again.port());
    back.sees("ada: one room");
    back.sees("eve: we are still here");
    back.sees("welcome to demo");
    ada.sees("bob joined");
    back.types("and so am I");
    ada.sees("bob: and so am I");
    eve.sees("bob: and so am I");
  }

  /**
   * A port that nobody has, outside of those that the system gives to connections: one of them
   * could go to a connection between the first hubs before the last one listens.
   */
  private static int freePort() {
    IOException failure = null;
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        return probe.getLocalPort();
      } catch (IOException taken) {
        failure = taken;
      }
    }
    throw new CommandFailure("no free TCP port at 127.0.0.1: " + failure.getMessage());
  }
}
