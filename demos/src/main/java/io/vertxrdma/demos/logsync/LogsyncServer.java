package io.vertxrdma.demos.logsync;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.demos.logsync.Greeting.Hello;
import io.vertxrdma.demos.logsync.Greeting.Welcome;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes logs from clients. A client that comes for a log that another one ships takes it over: the
 * other may be dead, and what is durable is safe with either. On the event loop.
 */
final class LogsyncServer {

  private static final Logger LOG = LoggerFactory.getLogger(LogsyncServer.class);

  /** How long a client may take to come in, milliseconds: a busy machine is no reason to refuse. */
  private static final int PATIENCE = 60_000;

  /**
   * After so many milliseconds without a word to its peer either side looks whether it is there.
   */
  static final int HEARTBEAT = 2_000;

  private final Vertx vertx;
  private final LogDirectory directory;
  private final Limits limits;
  private final Consumer<String> screen;
  private final RdmaServer server;
  private final ServerFigures figures = new ServerFigures();
  private final Map<String, Seat> seats = new HashMap<>();
  private final Promise<Void> allEnded = Promise.promise();

  /**
   * What clients may ask for.
   *
   * @param clients at once
   * @param window segments that each has under way at most
   * @param slotSize bytes of a segment
   */
  record Limits(int clients, int window, int slotSize) {}

  /** The place of one log: its client, or the one that is being let in. */
  private static final class Seat {
    private LogSession session;
    private Future<Void> free = Future.succeededFuture();
    private boolean opening;
  }

  /**
   * A server that does not listen yet.
   *
   * @param options with the receives
   * @param screen gets every line there is to see; must not block
   */
  LogsyncServer(
      Vertx vertx,
      RdmaProvider provider,
      RdmaServerOptions options,
      LogDirectory directory,
      Limits limits,
      Consumer<String> screen) {
    this.vertx = vertx;
    this.directory = directory;
    this.limits = limits;
    this.screen = screen;
    this.server =
        RdmaServer.create(
            vertx, options.setAcceptTimeout(PATIENCE).setHeartbeatInterval(HEARTBEAT), provider);
    server.connectRequestHandler(this::requested);
  }

  Future<RdmaServer> listen(int port, String address) {
    return server.listen(port, address);
  }

  ServerFigures figures() {
    return figures;
  }

  /** How often no receive was left, until now. */
  long receivesExhausted() {
    long open = 0;
    for (Seat seat : seats.values()) {
      open += seat.session == null ? 0 : seat.session.receivesExhausted();
    }
    return figures.exhausted() + open;
  }

  /** Clients that are here. */
  int clients() {
    return seats.size();
  }

  /** Completes when as many clients as there may be at once have come and gone. */
  Future<Void> allEnded() {
    return allEnded.future();
  }

  private void requested(ConnectRequest request) {
    Hello hello;
    try {
      hello = Hello.decode(request.privateData());
    } catch (HandshakeException stranger) {
      refuse(request, stranger.getMessage(), stranger.toPrivateData());
      return;
    } catch (ProtocolException objection) {
      refuse(request, objection.getMessage(), Greeting.refusal(objection.getMessage()));
      return;
    }
    Seat seat = seats.get(hello.name());
    if (seat == null && seats.size() == limits.clients()) {
      String full = "there are " + limits.clients() + " clients already";
      refuse(request, full, Greeting.busy(full));
    } else if (seat != null && seat.opening) {
      String taken = "another client comes for " + hello.name();
      refuse(request, taken, Greeting.busy(taken));
    } else {
      admit(request, hello, seats.computeIfAbsent(hello.name(), name -> new Seat()));
    }
  }

  private void refuse(ConnectRequest request, String reason, Buffer told) {
    screen.accept("* refused " + request.remoteAddress() + ": " + reason);
    request.reject(told).onFailure(gone -> LOG.info("{}", gone.getMessage()));
  }

  private void admit(ConnectRequest request, Hello hello, Seat seat) {
    seat.opening = true;
    if (seat.session != null) {
      screen.accept("* " + hello.name() + ": " + request.remoteAddress() + " takes over");
      seat.session.close();
    }
    seat.free
        .compose(free -> vertx.executeBlocking(() -> directory.openLog(hello.name()), false))
        .compose(
            log ->
                accept(request, hello, log)
                    .onFailure(failed -> vertx.executeBlocking(() -> closed(log), false)))
        .onComplete(
            done -> {
              seat.opening = false;
              if (done.succeeded()) {
                begin(seat, hello.name(), done.result());
                return;
              }
              seats.remove(hello.name(), seat);
              String reason = hello.name() + ": " + done.cause().getMessage();
              screen.accept("* " + reason);
              if (!request.isAnswered()) {
                refuse(request, reason, Greeting.refusal(shortened(reason)));
              }
            });
  }

  /** A reject has room for 142 bytes of text. */
  private static String shortened(String reason) {
    int room = 140 / 3;
    return reason.length() <= room ? reason : reason.substring(0, room - 3) + "...";
  }

  private static Void closed(StoredLog log) throws java.io.IOException {
    log.close();
    return null;
  }

  private Future<LogSession> accept(ConnectRequest request, Hello hello, StoredLog log) {
    int slots = Math.min(hello.window(), limits.window());
    return request
        .memory()
        .allocateInbox(slots * limits.slotSize())
        .compose(
            memory -> {
              Welcome welcome =
                  new Welcome(
                      memory.remote(),
                      slots,
                      limits.slotSize(),
                      log.nextSequence(),
                      log.bytes(),
                      log.checksum());
              return accept(request, welcome, memory, log).onFailure(failed -> memory.close());
            });
  }

  private Future<LogSession> accept(
      ConnectRequest request, Welcome welcome, RegisteredBuffer memory, StoredLog log) {
    return request
        .accept(welcome.encode())
        .map(connection -> new LogSession(vertx, connection, memory, welcome, log, figures));
  }

  private void begin(Seat seat, String name, LogSession session) {
    StoredLog log = session.log();
    if (log.cut() > 0) {
      screen.accept("* " + name + ": a torn end of " + log.cut() + " bytes was cut off");
    }
    screen.accept("* " + name + ": from segment " + log.nextSequence() + ", byte " + log.bytes());
    seat.session = session;
    seat.free =
        session
            .start()
            .map(
                failure -> {
                  left(seat, name, session, failure);
                  return null;
                });
  }

  private void left(Seat seat, String name, LogSession session, Throwable failure) {
    StoredLog log = session.log();
    screen.accept(
        "* "
            + name
            + ": left, "
            + log.segments()
            + " segments, "
            + log.bytes()
            + " bytes durable"
            + (failure == null ? "" : "; " + failure.getMessage()));
    seat.session = null;
    if (!seat.opening) {
      seats.remove(name, seat);
    }
    if (figures.endedConnections() >= limits.clients() && seats.isEmpty()) {
      allEnded.tryComplete();
    }
  }

  /** Ends all sessions, whose groups under way are written, and the server. */
  Future<Void> close() {
    Future<?> last = Future.succeededFuture();
    for (Seat seat : seats.values()) {
      if (seat.session != null) {
        seat.session.close();
        Future<Void> free = seat.free;
        last = last.eventually(() -> free);
      }
    }
    return last.eventually(server::close).mapEmpty();
  }
}
