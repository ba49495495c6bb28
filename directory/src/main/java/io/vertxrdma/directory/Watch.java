package io.vertxrdma.directory;

import io.reactivex.rxjava3.core.FlowableEmitter;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the endpoints of a service when a change is announced, and now and then for what nobody
 * announced; tells when they are others than before. Confined to the directory's context.
 */
final class Watch {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDirectory.class);

  private final RdmaDirectoryImpl directory;
  private final String service;
  private final FlowableEmitter<List<RdmaEndpoint>> emitter;
  private MessageConsumer<String> consumer;
  private long timer = -1;
  private List<RdmaEndpoint> last;
  private boolean looking;
  private boolean again;
  private boolean failing;
  private boolean over;

  Watch(RdmaDirectoryImpl directory, String service, FlowableEmitter<List<RdmaEndpoint>> emitter) {
    this.directory = directory;
    this.service = service;
    this.emitter = emitter;
  }

  void start() {
    directory
        .context()
        .runOnContext(
            nothing -> {
              if (over) {
                return;
              }
              consumer =
                  directory
                      .context()
                      .owner()
                      .eventBus()
                      .consumer(
                          directory.announcements(),
                          message -> {
                            if (service.equals(message.body())) {
                              look();
                            }
                          });
              timer =
                  directory
                      .context()
                      .owner()
                      .setPeriodic(directory.options().getWatchInterval(), fired -> look());
              look();
            });
  }

  private void look() {
    if (over) {
      return;
    }
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    directory
        .look(service)
        .onComplete(
            found ->
                directory.context().runOnContext(nothing -> seen(found.result(), found.cause())));
  }

  private void seen(List<RdmaEndpoint> found, Throwable failure) {
    looking = false;
    if (over) {
      return;
    }
    if (failure != null) {
      if (!failing) {
        failing = true;
        LOG.warn("the endpoints of {} could not be read, tried again", service, failure);
      }
    } else {
      failing = false;
      if (!found.equals(last)) {
        last = found;
        emitter.onNext(found);
      }
    }
    if (again) {
      again = false;
      look();
    }
  }

  /** The directory closes. */
  void complete() {
    directory.context().runOnContext(nothing -> emitter.onComplete());
  }

  /** Nobody listens any more. */
  void stop() {
    directory
        .context()
        .runOnContext(
            nothing -> {
              over = true;
              if (timer != -1) {
                directory.context().owner().cancelTimer(timer);
              }
              if (consumer != null) {
                // After what is on its way to it already, which Vert.x would complain of.
                directory.context().runOnContext(later -> consumer.unregister());
              }
            });
  }
}
