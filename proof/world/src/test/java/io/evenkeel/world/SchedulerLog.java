package io.evenkeel.world;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** What the schedulers log, all of them. */
public final class SchedulerLog {
    private SchedulerLog() {}

    /** A thousand worlds say much, and what is tried is not what they say; {@code -Dworld.log=true} wants it. */
    public static void silence() {
        if (!Boolean.getBoolean("world.log") && LoggerFactory.getLogger("ROOT") instanceof Logger root) {
            root.getLoggerContext().getLoggerList().forEach(each -> each.setLevel(Level.OFF));
        }
    }
}
