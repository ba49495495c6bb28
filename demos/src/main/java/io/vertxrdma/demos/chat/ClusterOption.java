package io.vertxrdma.demos.chat;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import io.vertxrdma.demos.Arguments;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that make a hub one of several; a mixin. */
final class ClusterOption {

  @Option(
      names = "--cluster",
      paramLabel = "HOST:PORT",
      description =
          "Be one of several hubs: where the others' cluster managers (TCP) reach this hub's.")
  private String own;

  @Option(
      names = "--with",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "--cluster of hubs that may be there already; one that is suffices.")
  private List<String> others = new ArrayList<>();

  @Option(
      names = "--cluster-name",
      paramLabel = "NAME",
      defaultValue = "vertx-rdma-chat",
      description = "Only hubs of the same name are together; default: ${DEFAULT-VALUE}.")
  private String name;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Whether this hub is one of several. */
  boolean isSet() {
    return own != null;
  }

  /** Refuses what makes no sense, with the address on which the hub listens. */
  void check(String address) {
    if (own == null) {
      if (!others.isEmpty()) {
        throw Arguments.wrong(command, "--with needs --cluster, where the others reach this hub");
      }
      return;
    }
    parse("--cluster", own);
    others.forEach(other -> parse("--with", other));
    if (address.matches("[0.]+|[0:]+")) {
      throw Arguments.wrong(
          command, "--cluster needs --address, at which other hubs connect, was " + address);
    }
  }

  private HostAndPort parse(String option, String text) {
    HostAndPort parsed = HostAndPort.parseAuthority(text, -1);
    if (parsed == null || parsed.port() < 1 || parsed.port() > 65_535) {
      throw Arguments.wrong(command, option + " must be HOST:PORT, was " + text);
    }
    return parsed;
  }

  /** The host part of where others reach this hub's cluster manager. */
  String host() {
    return parse("--cluster", own).host();
  }

  /** The cluster manager, which has not joined yet. Nothing but memberships goes over it. */
  ClusterManager manager() {
    HostAndPort at = parse("--cluster", own);
    Config config = new Config().setClusterName(name);
    // Not a property of the configuration: it logs before it has read that.
    System.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    // Hubs that began apart, or were cut off, find each other again within seconds.
    config.setProperty("hazelcast.merge.first.run.delay.seconds", "5");
    config.setProperty("hazelcast.merge.next.run.delay.seconds", "5");
    // The JVM's end is the command's affair.
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    // A hub's line in a map is little to divide among members.
    config.setProperty("hazelcast.partition.count", "31");
    config.getJetConfig().setEnabled(false);
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(at.port()).setPortAutoIncrement(false);
    network.setPublicAddress(at.host() + ":" + at.port());
    network.getInterfaces().setEnabled(true).addInterface(at.host());
    JoinConfig join = network.getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).addMember(own);
    others.forEach(join.getTcpIpConfig()::addMember);
    return new HazelcastClusterManager(config);
  }
}
