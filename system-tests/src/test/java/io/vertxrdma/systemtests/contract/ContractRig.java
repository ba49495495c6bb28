package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.Availability;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProviderOptions;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What every contract test stands on: a Vert.x of its own, servers and clients of the provider
 * under test, and after the test the proof that nothing is left.
 *
 * <p>The provider is the system property {@code vertx.rdma.test.provider} (default native), the
 * address of its device {@code vertx.rdma.test.address} (default 10.77.0.1). A provider that is not
 * there fails the test; it never skips it.
 */
public final class ContractRig implements BeforeEachCallback, AfterEachCallback {

  /** How long anything may take; the guest is emulated and slow. */
  public static final int TIMEOUT_SECONDS = 20;

  /** The soft provider's UDP port. */
  private static final int UDP_PORT = new SoftProviderOptions().getUdpPort();

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ContractRig.class);

  private final List<Supplier<Future<Void>>> closing = new CopyOnWriteArrayList<>();
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private RecordingProvider provider;
  private Vertx vertx;
  private DatagramSocket silence;

  /**
   * Both ends of a connection.
   *
   * @param server the server's end
   * @param client the client's end
   * @param listener the server, still listening
   * @param connector the client
   * @param port the server's port
   */
  public record Pair(
      RdmaConnection server,
      RdmaConnection client,
      RdmaServer listener,
      RdmaClient connector,
      int port) {}

  @Override
  public void beforeEach(ExtensionContext context) {
    String name = providerName();
    ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
    RdmaProvider real = store.getOrComputeIfAbsent(name, RdmaProviders::named, RdmaProvider.class);
    assertThat(real.availability().isAvailable())
        .as("provider %s under test: %s", name, real.availability().reason())
        .isTrue();
    store.getOrComputeIfAbsent("warm " + name, key -> warmUp(real));
    provider = new RecordingProvider(real);
    RxJavaPlugins.setErrorHandler(uncaught::add);
    vertx = newVertx();
    vertx.exceptionHandler(uncaught::add);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (vertx == null) {
      return;
    }
    List<Throwable> failures = new ArrayList<>();
    closing.forEach(close -> attempt(() -> await(close.get()), failures));
    attempt(() -> await(vertx.close()), failures);
    if (silence != null) {
      silence.close();
    }
    RxJavaPlugins.setErrorHandler(null);
    assertThat(failures).as("failures to close").isEmpty();
    assertThat(liveIds()).as("connection manager ids left after everything was closed").isZero();
    assertThat(uncaught).as("exceptions nobody caught").isEmpty();
  }

  private static void attempt(Runnable step, List<Throwable> failures) {
    try {
      step.run();
    } catch (AssertionError | RuntimeException failure) {
      failures.add(failure);
    }
  }

  /** On the native transport; name lookups ask nobody outside, so that they end soon. */
  private static Vertx newVertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setPreferNativeTransport(true)
            // Enough that no two of a test's servers and clients share one.
            .setEventLoopPoolSize(4)
            .setAddressResolverOptions(
                new AddressResolverOptions().addServer("127.0.0.1").setQueryTimeout(500)));
  }

  /**
   * Connects once, so that no test pays for loading classes: in the emulated guest that takes half
   * a minute. What goes wrong here goes wrong in the tests too, and is told there.
   */
  private boolean warmUp(RdmaProvider real) {
    Vertx own = newVertx();
    RdmaServer server = RdmaServer.create(own, new RdmaServerOptions(), real);
    server.connectRequestHandler(ConnectRequest::accept);
    server
        .listen(0, address())
        .compose(
            listening ->
                RdmaClient.create(own, new RdmaClientOptions().setConnectTimeout(60_000), real)
                    .connect(listening.actualPort(), address()))
        .compose(connection -> connection.writeImmediate(0))
        .toCompletionStage()
        .toCompletableFuture()
        .completeOnTimeout(null, 120, TimeUnit.SECONDS)
        .exceptionally(failure -> null)
        .join();
    // Not in a callback: it would have to run on a loop that has just ended.
    await(own.close());
    return true;
  }

  /** The name of the provider under test. */
  public static String providerName() {
    return System.getProperty("vertx.rdma.test.provider", "native");
  }

  /** Whether the native provider is under test; for the few outcomes that differ by nature. */
  public boolean isNative() {
    return providerName().equals("native");
  }

  /** The Vert.x of this test. */
  public Vertx vertx() {
    return vertx;
  }

  /** The provider under test. */
  public RdmaProvider provider() {
    return provider;
  }

  /** An address of the provider's device. */
  public String address() {
    return System.getProperty("vertx.rdma.test.address", "10.77.0.1");
  }

  /**
   * An address on the device's network where packets vanish: no RDMA device answers, and nobody
   * says that there is none.
   */
  public String silentAddress() {
    if (isNative()) {
      return System.getProperty("vertx.rdma.test.silentAddress", "10.77.0.2");
    }
    if (silence == null) {
      // Without a socket there the host would answer "port unreachable".
      try {
        silence = new DatagramSocket(new InetSocketAddress("127.0.0.77", UDP_PORT));
      } catch (SocketException taken) {
        throw new AssertionError("UDP port " + UDP_PORT + " of 127.0.0.77", taken);
      }
    }
    return silence.getLocalAddress().getHostAddress();
  }

  /** The device that has the address. */
  public DeviceContext device() {
    try {
      return provider.deviceFor(InetAddress.getByName(address())).orElseThrow();
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A server with default options. */
  public RdmaServer server() {
    return server(new RdmaServerOptions());
  }

  /** A server on an event loop context of its own; closed after the test. */
  public RdmaServer server(RdmaServerOptions options) {
    RdmaServer made = onNewContext(() -> RdmaServer.create(vertx, options, provider));
    closing.add(made::close);
    return made;
  }

  /** A client with default options. */
  public RdmaClient client() {
    return client(new RdmaClientOptions());
  }

  /** A client on an event loop context of its own; closed after the test, before the servers. */
  public RdmaClient client(RdmaClientOptions options) {
    RdmaClient made = onNewContext(() -> RdmaClient.create(vertx, options, provider));
    closing.add(0, made::close);
    return made;
  }

  /** A datagram socket on an event loop context of its own; closed after the test. */
  public RdmaDatagramSocket datagramSocket(RdmaDatagramOptions options) {
    RdmaDatagramSocket made =
        onNewContext(() -> RdmaDatagramSocket.create(vertx, options, provider));
    closing.add(0, made::close);
    return made;
  }

  private <T> T onNewContext(Supplier<T> work) {
    CompletableFuture<T> made = new CompletableFuture<>();
    ((VertxInternal) vertx)
        .createEventLoopContext()
        .runOnContext(
            nothing -> {
              try {
                made.complete(work.get());
              } catch (Throwable failure) {
                made.completeExceptionally(failure);
              }
            });
    return await(Future.fromCompletionStage(made));
  }

  /**
   * Makes somebody on another event loop the device's first user. In software it is the first
   * user's event loop that carries the device, so a test that blocks a loop would take the device
   * down with it; a card has no such loop.
   */
  public void occupyDevice() {
    acceptingServer(new RdmaServerOptions());
  }

  /** Listens on a free port of the address; returns the port. Say first who answers requests. */
  public int listen(RdmaServer server) {
    return await(server.listen(0, address())).actualPort();
  }

  /** A server that accepts everybody with its own parameters, listening on a free port. */
  public RdmaServer acceptingServer(RdmaServerOptions options) {
    RdmaServer server = server(options);
    server.connectRequestHandler(request -> request.accept());
    listen(server);
    return server;
  }

  /** A connected pair with default options. */
  public Pair pair() {
    return pair(new RdmaServerOptions(), new RdmaClientOptions());
  }

  /** A connected pair. */
  public Pair pair(RdmaServerOptions serverOptions, RdmaClientOptions clientOptions) {
    return pair(serverOptions, clientOptions, null, null);
  }

  /** A connected pair whose ends greet each other with private data. */
  public Pair pair(
      RdmaServerOptions serverOptions,
      RdmaClientOptions clientOptions,
      Buffer clientData,
      Buffer serverData) {
    RdmaServer server = server(serverOptions);
    Promise<RdmaConnection> accepted = Promise.promise();
    server.connectRequestHandler(request -> request.accept(serverData).onComplete(accepted));
    int port = listen(server);
    RdmaClient client = client(clientOptions);
    RdmaConnection clientSide = await(client.connect(port, address(), clientData));
    return new Pair(await(accepted.future()), clientSide, server, client, port);
  }

  /** Waits for the outcome; a failure fails the test. */
  public <T> T await(Future<T> future) {
    return await(future, TIMEOUT_SECONDS);
  }

  /** Waits for an outcome that may take longer than others. */
  public <T> T await(Future<T> future, int seconds) {
    try {
      return get(future, seconds);
    } catch (ExecutionException failed) {
      throw new AssertionError("failed: " + failed.getCause(), failed.getCause());
    }
  }

  /** Waits for the failure; success fails the test. */
  public Throwable awaitFailure(Future<?> future) {
    return awaitFailure(future, TIMEOUT_SECONDS);
  }

  /** Waits for a failure that may take longer than others. */
  public Throwable awaitFailure(Future<?> future, int seconds) {
    try {
      Object result = get(future, seconds);
      throw new AssertionError("should have failed, but ended with " + result);
    } catch (ExecutionException failed) {
      return failed.getCause();
    }
  }

  private static <T> T get(Future<T> future, int seconds) throws ExecutionException {
    if (future.succeeded()) {
      // Without a listener: its loop may have ended with the Vert.x.
      return future.result();
    }
    try {
      return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("no outcome after " + seconds + " s", late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** Waits until something holds. */
  public void until(String what, Callable<Boolean> holds) {
    Awaitility.await(what)
        .atMost(Duration.ofSeconds(TIMEOUT_SECONDS))
        .pollInterval(Duration.ofMillis(20))
        .until(holds);
  }

  /** The values of the next immediates, once all have come. */
  public Future<List<Long>> immediates(RdmaConnection connection, int count) {
    Promise<List<Long>> all = Promise.promise();
    connection
        .immediates()
        .take(count)
        .map(Immediate::value)
        .toList()
        .subscribe(all::complete, all::fail);
    return all.future();
  }

  /** Lets time pass, for what must not happen meanwhile. */
  public void pause(long millis) {
    await(vertx.timer(millis, TimeUnit.MILLISECONDS).mapEmpty());
  }

  /** Connection manager ids alive on all channels of the provider. */
  public int liveIds() {
    return provider.channels().stream().mapToInt(CmEventChannel::liveIds).sum();
  }

  /** Exceptions nobody caught so far; a test that provokes some clears them. */
  public List<Throwable> uncaught() {
    return uncaught;
  }

  /** The provider under test, remembering the channels it made so that leaks can be counted. */
  private record RecordingProvider(RdmaProvider real, List<CmEventChannel> channels)
      implements RdmaProvider {

    RecordingProvider(RdmaProvider real) {
      this(real, new CopyOnWriteArrayList<>());
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public Availability availability() {
      return real.availability();
    }

    @Override
    public CmEventChannel createEventChannel(Executor eventLoop) {
      CmEventChannel made = real.createEventChannel(eventLoop);
      channels.add(made);
      return made;
    }

    @Override
    public List<DeviceContext> devices() {
      return new ArrayList<>(real.devices());
    }

    @Override
    public Optional<DeviceContext> deviceFor(InetAddress localAddress) {
      return real.deviceFor(localAddress);
    }
  }
}
