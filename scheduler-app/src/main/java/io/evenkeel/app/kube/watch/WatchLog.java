package io.evenkeel.app.kube.watch;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a watch says. A state is told when it changes and not again at every try; what cannot be read is told once for
 * each reason.
 */
final class WatchLog {
    private static final Logger LOG = LoggerFactory.getLogger(WatchLog.class);
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
            LOG.debug("watch of {}: {}", kind, problem);
        }
    }

    void trouble(String problem) {
        if (state.equals(problem)) {
            LOG.debug("watch of {}: still {}", kind, problem);
        } else {
            LOG.warn("watch of {}: {}; trying on", kind, problem);
            state = problem;
        }
    }

    void works() {
        if (!state.isEmpty()) {
            LOG.info("watch of {}: works again", kind);
            state = "";
        }
    }

    void relist(String why) {
        LOG.info("reading all of {}: {}", kind, why);
    }

    void unreadable(String reason, long count) {
        // The name of the object comes first in a reason and would make each of them another.
        int colon = reason.indexOf(": ");
        String cause = colon < 0 ? reason : reason.substring(colon);
        if (reasons.size() < MOST_REASONS && reasons.add(cause)) {
            LOG.warn("watch of {}: skipped what cannot be read ({} so far): {}", kind, count, reason);
        }
    }

    void bug(RuntimeException failure) {
        LOG.error("watch of {}: unexpected failure; reading all anew", kind, failure);
    }
}
