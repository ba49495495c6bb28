package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands each immediate to whoever is registered for the value that one of its fields has.
 *
 * <pre>{@code
 * ImmediateRouter router = layout.route("type")
 *     .on(SAY, immediate -> room.say(immediate))
 *     .onCompletable(STORE, immediate -> store.rxPut(immediate));
 *
 * router.route(connection.immediates()).subscribe(...);      // or, without an object for each:
 * connection.immediateHandler(router.handler());
 * }</pre>
 *
 * <p>There is one subscription, whatever the number of handlers, and order is kept over all of
 * them: the next immediate is asked for when the one before was handled. So nothing is buffered,
 * nothing dropped, and a handler that takes its time makes the peer wait; see {@link
 * RdmaConnection#immediates()}.
 *
 * <p>Say who handles what before routing; handlers added later are for what is routed later. The
 * registration is not thread-safe; a router may route any number of connections.
 */
public final class ImmediateRouter {

  private static final Logger LOG = LoggerFactory.getLogger(ImmediateRouter.class);

  private final ImmediateLayout.Field field;
  private final TreeMap<Long, Route> routes = new TreeMap<>();
  private final AtomicLong unrouted = new AtomicLong();
  private Route otherwise;

  /** One handler, in the form it was given. */
  static final class Route {
    final ImmediateHandler plain;
    final Function<? super Immediate, ? extends Completable> completable;

    private Route(
        ImmediateHandler plain, Function<? super Immediate, ? extends Completable> completable) {
      this.plain = plain;
      this.completable = completable;
    }

    static Route of(ImmediateHandler handler) {
      return new Route(Objects.requireNonNull(handler, "handler"), null);
    }

    static Route of(Consumer<? super Immediate> handler) {
      Objects.requireNonNull(handler, "handler");
      return of(
          (connection, immediate, byteLength) ->
              handler.accept(new Immediate(connection, immediate, byteLength)));
    }

    static Route ofCompletable(Function<? super Immediate, ? extends Completable> handler) {
      return new Route(null, Objects.requireNonNull(handler, "handler"));
    }
  }

  ImmediateRouter(ImmediateLayout.Field field) {
    this.field = field;
    this.otherwise = Route.of(this::unknown);
  }

  /**
   * Says who handles immediates whose field has this value.
   *
   * @param value 0 up to the field's maximum
   * @throws IllegalArgumentException for a value that the field can't have, or that has a handler
   */
  public ImmediateRouter on(long value, Consumer<? super Immediate> handler) {
    return add(value, Route.of(handler));
  }

  /**
   * Says who handles immediates whose field has this value, without an object for each.
   *
   * @param value 0 up to the field's maximum
   * @throws IllegalArgumentException for a value that the field can't have, or that has a handler
   */
  public ImmediateRouter on(long value, ImmediateHandler handler) {
    return add(value, Route.of(handler));
  }

  /**
   * Says who handles immediates whose field has this value, and is done with one when what was
   * returned for it completes; no further immediate is handed to anybody before.
   *
   * @param value 0 up to the field's maximum
   * @throws IllegalArgumentException for a value that the field can't have, or that has a handler
   */
  public ImmediateRouter onCompletable(
      long value, Function<? super Immediate, ? extends Completable> handler) {
    return add(value, Route.ofCompletable(handler));
  }

  /**
   * Says who handles all others. Without one they are counted, see {@link #unrouted()}, and the
   * first is logged as a warning; they are no failure.
   */
  public ImmediateRouter otherwise(Consumer<? super Immediate> handler) {
    otherwise = Route.of(handler);
    return this;
  }

  /** Says who handles all others, without an object for each. */
  public ImmediateRouter otherwise(ImmediateHandler handler) {
    otherwise = Route.of(handler);
    return this;
  }

  private ImmediateRouter add(long value, Route route) {
    field.checkValue(value);
    if (routes.putIfAbsent(value, route) != null) {
      throw new IllegalArgumentException(
          "field \"" + field.name() + "\" has a handler for " + value + " already");
    }
    return this;
  }

  /**
   * Routes a connection's immediates. Each subscription to what is returned is one to them; it
   * completes and fails as they do. It fails, and gives them up, also when a handler throws or its
   * {@code Completable} fails: what was not handed over waits for the next subscriber, and the
   * connection stays as it is.
   */
  public Completable route(Flowable<Immediate> immediates) {
    return new RoutedImmediates(Objects.requireNonNull(immediates, "immediates"), table());
  }

  /**
   * This router as a handler for {@link RdmaConnection#immediateHandler}. A handler that throws
   * does not stop it; see there.
   *
   * @throws IllegalStateException when there is an {@link #onCompletable} handler: nothing could
   *     hold the next immediate back until it completes
   */
  public ImmediateHandler handler() {
    routes.forEach(
        (value, route) -> {
          if (route.plain == null) {
            throw new IllegalStateException(
                "the handler for "
                    + field.name()
                    + " "
                    + value
                    + " returns a Completable, which immediateHandler can't wait for;"
                    + " use route(connection.immediates())");
          }
        });
    Table table = table();
    return (connection, immediate, byteLength) ->
        table.of(immediate).plain.handle(connection, immediate, byteLength);
  }

  /** Immediates so far that nobody was registered for. */
  public long unrouted() {
    return unrouted.get();
  }

  private void unknown(RdmaConnection connection, int immediate, int byteLength) {
    if (unrouted.getAndIncrement() == 0) {
      LOG.warn(
          "{}: nobody handles an immediate with {} {}; dropped and counted, as are further ones",
          connection,
          field.name(),
          field.get(immediate));
    }
  }

  private Table table() {
    long[] values = routes.keySet().stream().mapToLong(Long::longValue).toArray();
    return new Table(field, values, routes.values().toArray(new Route[0]), otherwise);
  }

  /** The routes as they were at one time: finding one allocates nothing. */
  record Table(ImmediateLayout.Field field, long[] values, Route[] routes, Route otherwise) {

    Route of(int immediate) {
      int place = Arrays.binarySearch(values, field.get(immediate));
      return place < 0 ? otherwise : routes[place];
    }
  }
}
