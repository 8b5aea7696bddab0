package io.evenkeel.e2e.cluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** The suite provokes most of what a scheduler warns of; what is wrong anyway is said by its tests. */
final class Logs {

    private Logs() {}

    static void quieten() {
        level(org.slf4j.Logger.ROOT_LOGGER_NAME, Level.ERROR);
        level("io.evenkeel", Level.ERROR);
        // what a foreign client says when it is stopped
        level("io.kubernetes", Level.OFF);
        // that there is no Docker is no error here
        level("org.testcontainers", Level.OFF);
    }

    private static void level(String logger, Level level) {
        ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
    }
}
