package io.vertxrdma.demos.chat.web;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.StaticHandler;
import io.vertxrdma.demos.chat.room.Hub;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the page and its WebSockets. Made and used on the hub's event loop. */
public final class WebPage {

  /** Where the page is if nothing else is said. */
  public static final String PORT = "8080";

  /** Browsers that may be there at once. */
  static final int MAX_BROWSERS = 256;

  /** Bytes of a WebSocket message from a browser. */
  static final int MAX_MESSAGE = 64 * 1024;

  private static final String PLOTS = "META-INF/resources/webjars/uplot/1.6.30/dist";
  private static final String FILES = "io/vertxrdma/demos/chat/web/page";
  private static final long FABRIC_MILLIS = 1_000;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Logger LOG = LoggerFactory.getLogger(WebPage.class);

  private final Vertx vertx;
  private final Hub hub;
  private final FabricView fabric;
  private final Set<Browser> browsers = new LinkedHashSet<>();
  private Origins origins;
  private HttpServer server;
  private long timer;

  /**
   * Makes a page that is not served yet.
   *
   * @param hub whose members the browsers become
   * @param fabric what to show beside the chat
   */
  public WebPage(Vertx vertx, Hub hub, FabricView fabric) {
    this.vertx = vertx;
    this.hub = hub;
    this.fabric = fabric;
  }

  /**
   * Serves it.
   *
   * @param port 0 for one the system chooses
   * @param address a loopback address unless everybody on the network may come in
   * @return the port
   */
  public Future<Integer> listen(int port, String address) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxWebSocketFrameSize(MAX_MESSAGE)
            .setMaxWebSocketMessageSize(MAX_MESSAGE);
    server = vertx.createHttpServer(options).requestHandler(router());
    return server
        .listen(port, address)
        .map(
            listening -> {
              origins = new Origins(address, listening.actualPort());
              fabric.onEvent(event -> browsers.forEach(browser -> browser.event(event)));
              timer = vertx.setPeriodic(FABRIC_MILLIS, tick -> showFabric());
              return listening.actualPort();
            });
  }

  /** Stops, and ends all WebSockets. */
  public Future<Void> close() {
    if (server == null) {
      return Future.succeededFuture();
    }
    vertx.cancelTimer(timer);
    fabric.onEvent(event -> {});
    List.copyOf(browsers).forEach(Browser::close);
    return server.close();
  }

  private void showFabric() {
    if (!browsers.isEmpty()) {
      JsonObject snapshot = fabric.snapshot();
      browsers.forEach(browser -> browser.fabric(snapshot));
    }
  }

  private Router router() {
    Router router = Router.router(vertx);
    router.route().handler(this::guard);
    router.get("/chat").handler(this::upgrade);
    router.get("/vendor/*").handler(files(PLOTS));
    router.get().handler(files(FILES));
    return router;
  }

  private static StaticHandler files(String folder) {
    return StaticHandler.create(folder)
        .setIndexPage("index.html")
        .setDirectoryListing(false)
        .setIncludeHidden(false)
        .setCachingEnabled(false);
  }

  /** A page of elsewhere must not get at a hub on loopback, whatever its name resolves to. */
  private void guard(RoutingContext context) {
    if (!origins.isHost(context.request().getHeader(HttpHeaders.HOST))) {
      context.response().setStatusCode(421).end("this host name is not served here");
      return;
    }
    context
        .response()
        .putHeader("Content-Security-Policy", POLICY)
        // Another version of the page may be here tomorrow.
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    context.next();
  }

  private void upgrade(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (!origins.isOrigin(
        request.getHeader(HttpHeaders.ORIGIN), request.getHeader(HttpHeaders.HOST))) {
      context.response().setStatusCode(403).end("pages of other origins are not let in");
    } else if (browsers.size() >= MAX_BROWSERS) {
      context.response().setStatusCode(503).end("there are " + MAX_BROWSERS + " browsers already");
    } else {
      context
          .request()
          .toWebSocket()
          .onSuccess(this::opened)
          .onFailure(failure -> LOG.info("no WebSocket: {}", failure.getMessage()));
    }
  }

  private void opened(ServerWebSocket socket) {
    Browser browser = new Browser(hub, fabric, socket, browsers::remove);
    browsers.add(browser);
    browser.start();
  }
}
