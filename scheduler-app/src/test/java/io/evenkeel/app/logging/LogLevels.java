package io.evenkeel.app.logging;

import org.slf4j.LoggerFactory;

/** Levels of loggers, for tests of modules that log nothing themselves. */
public final class LogLevels {
    private LogLevels() {}

    public static boolean tellsWarnings(String logger) {
        return LoggerFactory.getLogger(logger).isWarnEnabled();
    }
}
