package io.vertxrdma.directory;

import com.hazelcast.config.Config;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.stream.Collectors;

/**
 * A process of a cluster: registers an endpoint whose port is given and prints what it sees, a line
 * for each state.
 */
final class DirectoryMember {

  private DirectoryMember() {}

  /** Arguments: cluster name, own cluster port, the first member's cluster port, RDMA port. */
  public static void main(String[] arguments) {
    Config config = new Config().setClusterName(arguments[0]);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.max.join.seconds", "30");
    config.getJetConfig().setEnabled(false);
    config.getNetworkConfig().setPort(Integer.parseInt(arguments[1])).setPortAutoIncrement(false);
    config.getNetworkConfig().setPublicAddress("127.0.0.1:" + arguments[1]);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + arguments[2]);
    Vertx vertx =
        Vertx.builder()
            .withClusterManager(new HazelcastClusterManager(config))
            .buildClustered()
            .await();
    RdmaDirectory directory =
        RdmaDirectory.create(vertx, new RdmaDirectoryOptions().setWatchInterval(200));
    directory
        .register(new RdmaEndpoint("chat", "127.0.0.1", Integer.parseInt(arguments[3])))
        .await();
    directory
        .watch("chat")
        .subscribe(
            seen ->
                System.out.println(
                    seen.stream()
                        .map(each -> String.valueOf(each.port()))
                        .collect(Collectors.joining(" ", "seen ", ""))));
  }
}
