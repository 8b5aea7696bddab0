package io.evenkeel.app.live;

import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Counts of how often a dry run and the scheduler beside it agreed. Counted by the engine's thread, logged by any. */
final class Agreement {
    private static final Logger log = LoggerFactory.getLogger(Agreement.class);

    /** A pod's placement by the other scheduler, as judged by this one. */
    enum Kind {
        /** It chose the same node. */
        SAME_NODE("sameNode"),
        /** It chose a node that is as good by our scores. */
        AS_GOOD("asGood"),
        /** It chose a node where the pod fits, and scores less than on the best. */
        LOWER_SCORE("lowerScore"),
        /** It chose a node where the pod does not fit by our rules. */
        UNFIT("unfit"),
        /** It left a pod waiting that we would have placed. */
        LEFT_WAITING("leftWaiting"),
        /** It placed a pod before it was our turn to decide. */
        UNDECIDED("undecided");

        private final String key;

        Kind(String key) {
            this.key = key;
        }
    }

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private boolean news;

    synchronized void count(Kind kind) {
        counts.merge(kind, 1, Integer::sum);
        news = true;
    }

    /** Logs the counts, if they have changed since they were logged last. */
    synchronized void tell() {
        if (!news) {
            return;
        }
        news = false;
        LoggingEventBuilder line = log.atInfo().setMessage("Compared with the other scheduler so far");
        for (Kind kind : Kind.values()) {
            line = line.addKeyValue(kind.key, counts.getOrDefault(kind, 0));
        }
        line.log();
    }
}
