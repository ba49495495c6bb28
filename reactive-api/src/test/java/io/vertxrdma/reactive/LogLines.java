package io.vertxrdma.reactive;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the library logs while it is open. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.vertxrdma");

  /** Starts to listen. */
  public LogLines() {
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event);
  }

  /** The texts of that level. */
  public List<String> at(Level level) {
    return lines.stream()
        .filter(line -> line.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** The texts of any level that contain something. */
  public List<String> containing(String text) {
    return lines.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains(text))
        .toList();
  }

  /** The warnings. */
  public List<String> warnings() {
    return at(Level.WARN);
  }

  /** Everything that would make somebody worry: warnings and errors. */
  public List<String> alarms() {
    return lines.stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
