package io.evenkeel.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class logs, from debugging on. */
public final class LogLines implements AutoCloseable {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    public LogLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        logger.setLevel(Level.DEBUG);
        appender.start();
        logger.addAppender(appender);
    }

    public List<ILoggingEvent> events() {
        return events;
    }

    /** Level, message, keys and values. */
    public List<String> lines() {
        return events.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage()
                        + (event.getKeyValuePairs() == null ? "" : " " + event.getKeyValuePairs()))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }
}
