package io.vertxrdma.systemtests.contract;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the library logs while this is open. */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.vertxrdma");
  private final Level before = logger.getLevel();
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

  /** Captures from INFO on. */
  LogCapture() {
    setContext(logger.getLoggerContext());
    start();
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    event.prepareForDeferredProcessing();
    events.add(event);
  }

  /** Messages of WARN and ERROR. */
  List<String> warnings() {
    return messages(Level.WARN);
  }

  /** Messages of this level and above. */
  List<String> messages(Level least) {
    return events.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(least))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
