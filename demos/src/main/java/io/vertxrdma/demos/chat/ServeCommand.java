package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.room.Names;
import io.vertxrdma.demos.chat.web.WebPage;
import io.vertxrdma.directory.RdmaDirectory;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a hub until it is interrupted. */
@Command(
    name = "serve",
    description = "Run a hub: rooms, each with its history.",
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {

  /** Where hubs listen if nothing else is said. */
  static final String PORT = "18516";

  /** Lines that may wait for the hub's own screen. */
  private static final int SCREEN_LINES = 1_000;

  private final Environment environment;

  @Option(
      names = "--address",
      paramLabel = "A",
      defaultValue = "0.0.0.0",
      description = "Address of an RDMA device; default: all.")
  private String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = PORT,
      description = "Port; default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--room",
      paramLabel = "NAME",
      defaultValue = "lobby",
      description = "Name of the first room; default: ${DEFAULT-VALUE}.")
  private String room;

  @Option(
      names = "--history",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Lines that each room keeps for those who come later; default: ${DEFAULT-VALUE}.")
  private int history;

  @Option(
      names = "--web",
      arity = "0..1",
      paramLabel = "PORT",
      fallbackValue = WebPage.PORT,
      description =
          "Also serve a page: chat in a browser, beside a view of the connections. At port"
              + " ${FALLBACK-VALUE} if none is given; 0: any free one.")
  private Integer webPort;

  @Option(
      names = "--web-address",
      paramLabel = "A",
      defaultValue = "127.0.0.1",
      description =
          "Where the page is, default: ${DEFAULT-VALUE}. It knows no passwords and no TLS.")
  private String webAddress;

  @Mixin private ClusterOption cluster;

  @Mixin private HeartbeatOption heartbeat;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  ServeCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    String objection = Names.objectionToRoom(room);
    if (objection != null) {
      throw Arguments.wrong(spec, "--room " + room + ": " + objection);
    }
    Arguments.port(spec, port);
    if (webPort != null) {
      Arguments.range(spec, "--web", webPort, 0, 65_535);
    }
    Arguments.range(spec, "--history", history, 0, HistoryPlace.MAX_SLOTS);
    cluster.check(address);
    heartbeat.check();
    RdmaProvider selected = provider.forLocal(environment, address);
    PlainConsole console = new PlainConsole(environment);
    try (Printer<String> printer = new Printer<>(console::print, SCREEN_LINES)) {
      Consumer<String> screen = line -> printer.print(line, () -> {});
      return cluster.isSet()
          ? Session.run(
              cluster.manager(), cluster.host(), session -> serve(session, selected, screen))
          : Session.run(session -> serve(session, selected, screen));
    }
  }

  private Future<Integer> serve(Session session, RdmaProvider selected, Consumer<String> screen) {
    Vertx vertx = session.vertx();
    Hub hub = new Hub(room, history, Clock.systemUTC(), screen);
    Histories histories = new Histories();
    Fabric fabric = new Fabric(vertx, selected, Clock.systemUTC());
    RdmaServerOptions options =
        new RdmaServerOptions().setHeartbeatInterval(heartbeat.millis()).setMetrics(fabric);
    ChatServer server = new ChatServer(vertx, selected, options, hub, histories, screen);
    fabric.watch(server);
    HubMesh mesh = cluster.isSet() ? mesh(vertx, selected, hub, histories, fabric, screen) : null;
    server.setMesh(mesh);
    WebPage page = new WebPage(vertx, hub, fabric);
    Promise<Integer> interrupted = Promise.promise();
    return server
        .listen(port, address)
        .compose(
            listening ->
                mesh == null ? Future.succeededFuture() : mesh.join(RdmaDirectory.create(vertx)))
        .compose(
            joined -> {
              environment.err().println("listening on " + address + ":" + port);
              return webPort == null ? Future.succeededFuture() : open(page);
            })
        .compose(open -> interrupted.future())
        .map(ExitCode.OK)
        .eventually(page::close)
        .eventually(() -> mesh == null ? Future.succeededFuture() : mesh.close())
        .eventually(server::close);
  }

  private HubMesh mesh(
      Vertx vertx,
      RdmaProvider selected,
      Hub hub,
      Histories histories,
      Fabric fabric,
      Consumer<String> screen) {
    RdmaClientOptions options =
        new RdmaClientOptions().setHeartbeatInterval(heartbeat.millis()).setMetrics(fabric);
    HubMesh mesh = new HubMesh(vertx, selected, options, hub, histories, address, port, screen);
    fabric.watch(mesh.events());
    return mesh;
  }

  private Future<Void> open(WebPage page) {
    return page.listen(webPort, webAddress)
        .map(
            actual -> {
              String host = webAddress.contains(":") ? "[" + webAddress + "]" : webAddress;
              environment.err().println("the page is at http://" + host + ":" + actual + "/");
              return null;
            });
  }
}
