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
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.ReconnectPolicy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Makes connect attempts, and closes what came of them. */
public final class RdmaClientImpl extends Endpoint implements RdmaClient {

  private final RdmaClientOptions options;
  private final HostNames hostNames;
  private final Set<ConnectAttempt> attempts = new LinkedHashSet<>();
  private final Set<ReconnectingFlowable.Ending> reconnecting = new LinkedHashSet<>();

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
    return connect(attempt(port, host, ConnectData.of(privateData), parameters));
  }

  @Override
  public Future<RdmaConnection> connect(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData) {
    return connect(attempt(port, host, ConnectData.of(privateData), parameters));
  }

  private Future<RdmaConnection> connect(ConnectAttempt attempt) {
    return onLoop(() -> start(attempt));
  }

  @Override
  public Single<RdmaConnection> rxConnect(
      int port, String host, Buffer privateData, ConnectionParameters parameters) {
    return new ConnectSingle(
        this, () -> attempt(port, host, ConnectData.of(privateData), parameters));
  }

  @Override
  public Single<RdmaConnection> rxConnect(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData) {
    return new ConnectSingle(
        this, () -> attempt(port, host, ConnectData.of(privateData), parameters));
  }

  private ConnectAttempt attempt(
      int port, String host, ConnectData privateData, ConnectionParameters parameters) {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    Objects.requireNonNull(host, "host");
    checkOpen("client");
    return new ConnectAttempt(
        this, port, host, privateData, parameters == null ? options.getParameters() : parameters);
  }

  /** On the loop. */
  Future<RdmaConnection> start(ConnectAttempt attempt) {
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
  void ended() {
    List.copyOf(reconnecting).forEach(ReconnectingFlowable.Ending::clientClosed);
  }

  @Override
  public Flowable<RdmaConnection> connections(
      int port, String host, Buffer privateData, ReconnectPolicy policy) {
    return new ReconnectingFlowable(this, rxConnect(port, host, privateData, null), policy);
  }

  @Override
  public Flowable<RdmaConnection> connections(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData,
      ReconnectPolicy policy) {
    return new ReconnectingFlowable(this, rxConnect(port, host, parameters, privateData), policy);
  }

  void track(ReconnectingFlowable.Ending subscription) {
    reconnecting.add(subscription);
  }

  void untrack(ReconnectingFlowable.Ending subscription) {
    reconnecting.remove(subscription);
  }
}
