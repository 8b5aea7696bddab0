package io.evenkeel.kube.watch;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log lines of a watch. A state is told when it changes and not again at every try; an unreadable object is told once for
 * each reason.
 */
final class WatchLog {
    private static final Logger LOG = LoggerFactory.getLogger(WatchLog.class);
    /** By a name of its own, for commands that tell it once for all kinds. */
    static final Logger CONNECTION = LoggerFactory.getLogger(WatchLog.class.getName() + ".connection");

    private static final int MOST_REASONS = 100;

    private final String kind;
    private final Set<String> reasons = new HashSet<>();
    private String state = "";

    WatchLog(String kind) {
        this.kind = kind;
    }

    /** A single cut is everyday life and not worth a warning; the same again is. */
    void cut(String problem, boolean again) {
        if (again) {
            trouble(problem);
        } else {
            line(CONNECTION.atDebug(), "Watch connection cut, resuming")
                    .addKeyValue("why", problem)
                    .log();
        }
    }

    void trouble(String problem) {
        if (state.equals(problem)) {
            line(CONNECTION.atDebug(), "Watch still failing, retrying")
                    .addKeyValue("why", problem)
                    .log();
        } else {
            line(CONNECTION.atWarn(), "Watch failed, retrying")
                    .addKeyValue("why", problem)
                    .log();
            state = problem;
        }
    }

    void absent(String why) {
        line(LOG.atInfo(), "Kind is absent at the server, looking for it now and then")
                .addKeyValue("why", why)
                .log();
        state = why;
    }

    void works() {
        if (!state.isEmpty()) {
            line(CONNECTION.atInfo(), "Watch recovered").log();
            state = "";
        }
    }

    void relist(String why) {
        line(LOG.atInfo(), "Relisting all objects").addKeyValue("why", why).log();
    }

    void unreadable(String reason, long count) {
        // The name of the object comes first in a reason and would make each of them another.
        int colon = reason.indexOf(": ");
        String cause = colon < 0 ? reason : reason.substring(colon);
        if (reasons.size() < MOST_REASONS && reasons.add(cause)) {
            line(LOG.atWarn(), "Skipping unreadable object")
                    .addKeyValue("skippedSoFar", count)
                    .addKeyValue("why", reason)
                    .log();
        }
    }

    void bug(Throwable failure) {
        line(LOG.atError(), "Watch failed unexpectedly, relisting all objects")
                .setCause(failure)
                .log();
    }

    private LoggingEventBuilder line(LoggingEventBuilder level, String message) {
        return level.setMessage(message).addKeyValue("kind", kind);
    }
}
