package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Makes connect attempts, and closes what came of them. */
public final class RdmaClientImpl extends Endpoint implements RdmaClient {

  private final RdmaClientOptions options;
  private final HostNames hostNames;
  private final Set<ConnectAttempt> attempts = new LinkedHashSet<>();

  /** See {@link RdmaClient#create(Vertx, RdmaClientOptions, RdmaProvider)}. */
  public RdmaClientImpl(Vertx vertx, RdmaClientOptions options, RdmaProvider provider) {
    this(vertx, options, provider, null);
  }

  RdmaClientImpl(
      Vertx vertx, RdmaClientOptions options, RdmaProvider provider, HostNames hostNames) {
    super(vertx, options, provider);
    this.options = options;
    this.hostNames = hostNames == null ? HostNames.of(vertx()) : hostNames;
  }

  RdmaClientOptions clientOptions() {
    return options;
  }

  HostNames hostNames() {
    return hostNames;
  }

  @Override
  public Future<RdmaConnection> connect(
      int port, String host, Buffer privateData, ConnectionParameters parameters) {
    ConnectAttempt attempt = attempt(port, host, privateData, parameters);
    return onLoop(() -> start(attempt));
  }

  @Override
  public Single<RdmaConnection> rxConnect(
      int port, String host, Buffer privateData, ConnectionParameters parameters) {
    return Single.create(
        emitter -> {
          ConnectAttempt attempt = attempt(port, host, privateData, parameters);
          emitter.setCancellable(() -> run(attempt::abort));
          onLoop(() -> start(attempt))
              .onComplete(
                  done -> {
                    if (done.failed()) {
                      emitter.tryOnError(done.cause());
                    } else if (emitter.isDisposed()) {
                      // Disposed in the very moment it succeeded: nobody else will close it.
                      done.result().close();
                    } else {
                      emitter.onSuccess(done.result());
                    }
                  });
        });
  }

  private ConnectAttempt attempt(
      int port, String host, Buffer privateData, ConnectionParameters parameters) {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    Objects.requireNonNull(host, "host");
    byte[] bytes = privateData == null ? null : privateData.getBytes();
    if (bytes != null && bytes.length > 255) {
      throw new IllegalArgumentException(
          "private data for connect is limited to 56 bytes on InfiniBand and RoCE and to 255"
              + " anywhere, got "
              + bytes.length);
    }
    checkOpen("client");
    return new ConnectAttempt(
        this, port, host, bytes, parameters == null ? options.getParameters() : parameters);
  }

  private Future<RdmaConnection> start(ConnectAttempt attempt) {
    if (isClosing()) {
      return Future.failedFuture(new IllegalStateException("the client is closed"));
    }
    attempts.add(attempt);
    return attempt.start().onComplete(done -> attempts.remove(attempt));
  }

  @Override
  public Flowable<CmEvent> events() {
    return eventFlowable();
  }

  @Override
  public RdmaClient deviceEventHandler(Handler<DeviceEvent> handler) {
    handleDeviceEvents(handler);
    return this;
  }

  @Override
  Future<Void> stop() {
    for (ConnectAttempt attempt : List.copyOf(attempts)) {
      attempt.abort();
    }
    return Future.succeededFuture();
  }

  @Override
  void ended() {}
}
