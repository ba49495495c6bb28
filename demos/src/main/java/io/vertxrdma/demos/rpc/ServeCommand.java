package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ProviderOption;
import io.vertxrdma.tools.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves keys and values until it is interrupted. */
@Command(
    name = "serve",
    description = "Serve keys and values: put, get, count and sleep.",
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {

  /** Where servers listen if nothing else is said. */
  static final String PORT = "18520";

  private static final long PROGRESS_MILLIS = 1_000;

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

  @Mixin private SlotsOption slots;

  @Mixin private ProviderOption provider;

  @Spec private CommandSpec spec;

  ServeCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    Arguments.port(spec, port);
    RpcOptions options = slots.options();
    RdmaProvider selected = provider.forLocal(environment, address);
    return Session.run(session -> serve(session, selected, options));
  }

  private Future<Integer> serve(Session session, RdmaProvider selected, RpcOptions options) {
    RpcServer server = RpcServer.create(session.vertx(), selected, options);
    RpcServices.serve(server, KeyValue.class, new KeyValueInMemory(session.vertx()));
    Promise<Integer> interrupted = Promise.promise();
    RpcServer.Counters[] shown = {server.counters()};
    return server
        .listen(port, address)
        .compose(
            listening -> {
              environment.err().println("listening on " + address + ":" + port);
              session
                  .vertx()
                  .setPeriodic(
                      PROGRESS_MILLIS,
                      tick -> {
                        RpcServer.Counters now = server.counters();
                        if (!now.equals(shown[0])) {
                          shown[0] = now;
                          say(now);
                        }
                      });
              return interrupted.future();
            })
        .eventually(server::close);
  }

  private void say(RpcServer.Counters counters) {
    environment
        .out()
        .println(
            counters.answered()
                + " answered, "
                + counters.failed()
                + " failed, "
                + counters.late()
                + " too late, "
                + counters.cancelled()
                + " cancelled, "
                + counters.dropped()
                + " late answers dropped");
    environment.out().flush();
  }
}
