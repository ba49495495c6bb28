package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that accepts every connection. */
public final class ConnectFarSide implements AutoCloseable {

  /** How long anything may take. */
  static final int SECONDS = 300;

  private final Process process;
  private final BufferedReader out;
  private final int port;

  private ConnectFarSide(Process process, BufferedReader out, int port) {
    this.process = process;
    this.out = out;
    this.port = port;
  }

  /**
   * Arguments: provider, address. Prints its port; answers each line on standard input with one
   * when all connections so far are closed.
   */
  public static void main(String[] arguments) throws IOException, TimeoutException {
    Vertx vertx = FarProcess.vertx();
    Queue<Future<Void>> ends = new ConcurrentLinkedQueue<>();
    RdmaServer server =
        listen(vertx, RdmaProviders.named(arguments[0]), arguments[1], ends)
            .await(SECONDS, TimeUnit.SECONDS);
    System.out.println(server.actualPort());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    while (in.readLine() != null) {
      while (!ends.isEmpty()) {
        ends.remove().await(SECONDS, TimeUnit.SECONDS);
      }
      System.out.println("idle");
    }
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Accepts every connection.
   *
   * @param ends gets a future of the end of each
   */
  static Future<RdmaServer> listen(
      Vertx vertx, RdmaProvider provider, String address, Queue<Future<Void>> ends) {
    // As small as cmtime's, and patient with many at once.
    RdmaServerOptions options =
        new RdmaServerOptions()
            .setReceiveDepth(1)
            .setSendDepth(1)
            .setMaxPendingRequests(1 << 16)
            .setAcceptTimeout(SECONDS * 1_000);
    RdmaServer server = RdmaServer.create(vertx, options, provider);
    server.connectRequestHandler(
        (ConnectRequest request) ->
            ends.add(request.accept().compose(connection -> connection.closed())));
    return server.listen(0, address);
  }

  /** Starts one with this process's Java, options and class path. */
  static ConnectFarSide start(String provider, String address, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ConnectFarSide.class.getName(),
            provider,
            address));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String line = out.readLine();
    if (line == null) {
      process.destroy();
      throw new IOException("the far side ended before it was ready");
    }
    return new ConnectFarSide(process, out, Integer.parseInt(line));
  }

  int port() {
    return port;
  }

  /** Waits until it has nothing left to do. */
  void awaitIdle() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    if (out.readLine() == null) {
      throw new IOException("the far side has ended");
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
