package io.vertxrdma.soft;

import io.vertxrdma.soft.cm.CmOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How the soft provider behaves. The defaults are right for most; a provider copies its options.
 *
 * <p>Which local addresses may be used is a matter of trust: RoCEv2 has no authentication. Loopback
 * addresses always may. Others must be listed, by {@link #setAddresses}, the system property
 * {@value #ADDRESSES_PROPERTY}, or the environment variable {@value #ADDRESSES_VARIABLE}; the first
 * of them that is set counts. The list is comma-separated, {@code *} means every address of this
 * host.
 */
public final class SoftProviderOptions {

  /** The system property with the list of addresses. */
  public static final String ADDRESSES_PROPERTY = "vertx.rdma.soft.addresses";

  /** The environment variable with the list of addresses. */
  public static final String ADDRESSES_VARIABLE = "VERTX_RDMA_SOFT_ADDRESSES";

  /** The system property that sets {@link #setOwnEventLoop}. */
  public static final String OWN_EVENT_LOOP_PROPERTY = "vertx.rdma.soft.ownEventLoop";

  /** The system property with the UDP port, see {@link #setUdpPort}. */
  public static final String UDP_PORT_PROPERTY = "vertx.rdma.soft.udpPort";

  /** The UDP port of RoCEv2. */
  public static final int ROCE_PORT = 4791;

  /** In a list of addresses: every address of this host. */
  public static final String ALL = "*";

  /** Milliseconds of {@link #getExitGraceMillis} unless set. */
  public static final int DEFAULT_EXIT_GRACE_MILLIS = 250;

  private static final String DEFAULT_ADDRESSES = "127.0.0.1";

  private SoftDeviceOptions device = SoftDeviceOptions.DEFAULT;
  private CmOptions connectionManagement = CmOptions.DEFAULT;
  private int udpPort = checkedPort(Integer.getInteger(UDP_PORT_PROPERTY, ROCE_PORT));
  private boolean ownEventLoop = Boolean.getBoolean(OWN_EVENT_LOOP_PROPERTY);
  private List<String> addresses;
  private int exitGraceMillis = DEFAULT_EXIT_GRACE_MILLIS;
  private LinkDecorator linkDecorator = LinkDecorator.NONE;

  /** The defaults. */
  public SoftProviderOptions() {}

  /** A copy. */
  public SoftProviderOptions(SoftProviderOptions other) {
    this.device = other.device;
    this.connectionManagement = other.connectionManagement;
    this.udpPort = other.udpPort;
    this.ownEventLoop = other.ownEventLoop;
    this.addresses = other.addresses;
    this.exitGraceMillis = other.exitGraceMillis;
    this.linkDecorator = other.linkDecorator;
  }

  /** The limits of each device. */
  public SoftDeviceOptions getDevice() {
    return device;
  }

  /** Sets the limits of each device. */
  public SoftProviderOptions setDevice(SoftDeviceOptions device) {
    this.device = Objects.requireNonNull(device, "device");
    return this;
  }

  /** Timers and bounds of connection management. */
  public CmOptions getConnectionManagement() {
    return connectionManagement;
  }

  /** Sets timers and bounds of connection management. */
  public SoftProviderOptions setConnectionManagement(CmOptions connectionManagement) {
    this.connectionManagement =
        Objects.requireNonNull(connectionManagement, "connectionManagement");
    return this;
  }

  /** The UDP port of all devices, 4791 unless set here or by property. */
  public int getUdpPort() {
    return udpPort;
  }

  /** Sets the UDP port, 1..65535; all peers must use the same. */
  public SoftProviderOptions setUdpPort(int udpPort) {
    this.udpPort = checkedPort(udpPort);
    return this;
  }

  private static int checkedPort(int udpPort) {
    if (udpPort < 1 || udpPort > 65_535) {
      throw new IllegalArgumentException("udpPort must be 1..65535, was " + udpPort);
    }
    return udpPort;
  }

  /** Whether sockets are on an event loop of the provider's own whatever the application has. */
  public boolean isOwnEventLoop() {
    return ownEventLoop;
  }

  /**
   * Puts the sockets on an event loop of the provider's own. Otherwise a device's socket is on the
   * event loop that used the device first, which saves a hop between threads; but an application
   * that blocks that loop then also stops the traffic of the device's other users.
   */
  public SoftProviderOptions setOwnEventLoop(boolean ownEventLoop) {
    this.ownEventLoop = ownEventLoop;
    return this;
  }

  /** The addresses set here, or else by property or variable, or else {@code 127.0.0.1}. */
  public List<String> getAddresses() {
    if (addresses != null) {
      return addresses;
    }
    String listed = System.getProperty(ADDRESSES_PROPERTY);
    if (listed == null) {
      listed = System.getenv(ADDRESSES_VARIABLE);
    }
    return parse(listed == null || listed.isBlank() ? DEFAULT_ADDRESSES : listed);
  }

  static List<String> parse(String listed) {
    List<String> found = new ArrayList<>();
    for (String part : listed.split(",")) {
      if (!part.isBlank()) {
        found.add(part.trim());
      }
    }
    return List.copyOf(found);
  }

  /**
   * Sets which local addresses may be used besides the loopback ones. A listener on a wildcard
   * address listens on the ones listed, so list {@code 127.0.0.1} too if you want both.
   */
  public SoftProviderOptions setAddresses(List<String> addresses) {
    this.addresses = List.copyOf(addresses);
    return this;
  }

  /** How long a JVM that ends waits for the application to close its connections. */
  public int getExitGraceMillis() {
    return exitGraceMillis;
  }

  /**
   * Sets what happens when the JVM ends (System.exit, SIGTERM, its last thread) with connections
   * open. The shutdown hooks of the application get so many milliseconds to close them; then the
   * peers of those that are left are told, so that they see a disconnect at once instead of
   * silence. An application that takes longer to end in order needs more; without any open
   * connection nothing waits.
   *
   * @param millis 0..10000; -1 to tell the peers nothing
   */
  public SoftProviderOptions setExitGraceMillis(int millis) {
    if (millis < -1 || millis > 10_000) {
      throw new IllegalArgumentException("exitGraceMillis must be -1..10000, was " + millis);
    }
    this.exitGraceMillis = millis;
    return this;
  }

  /** What each link is wrapped into. */
  public LinkDecorator getLinkDecorator() {
    return linkDecorator;
  }

  /** Wraps each link, for example into one that loses packets. */
  public SoftProviderOptions setLinkDecorator(LinkDecorator linkDecorator) {
    this.linkDecorator = Objects.requireNonNull(linkDecorator, "linkDecorator");
    return this;
  }

  /** Whether {@link #getAddresses} is everything. */
  boolean allAddresses() {
    return getAddresses().contains(ALL);
  }

  /** The addresses of the list that exist, without {@code *}. */
  List<InetAddress> listedAddresses() {
    List<InetAddress> found = new ArrayList<>();
    for (String address : getAddresses()) {
      if (!address.equals(ALL)) {
        try {
          found.add(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
          throw new IllegalArgumentException(
              "not an address in the list of soft addresses: " + address, e);
        }
      }
    }
    return found;
  }
}
