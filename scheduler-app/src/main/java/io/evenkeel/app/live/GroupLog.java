package io.evenkeel.app.live;

import io.evenkeel.engine.group.turn.GroupObserver;
import io.evenkeel.framework.GroupKey;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A log of gangs that run with fewer pods than they need, by the leader alone. Passes all events on to the next observer. */
final class GroupLog implements GroupObserver {
    private static final Logger log = LoggerFactory.getLogger(GroupLog.class);

    private final GroupObserver next;
    private final BooleanSupplier leading;

    GroupLog(GroupObserver next, BooleanSupplier leading) {
        this.next = next;
        this.leading = leading;
    }

    @Override
    public void becameDegraded(GroupKey gang, int inPlace, int needed) {
        if (leading.getAsBoolean()) {
            log.atInfo()
                    .setMessage("Gang degraded")
                    .addKeyValue("gang", gang)
                    .addKeyValue("inPlace", inPlace)
                    .addKeyValue("needed", needed)
                    .log();
        }
        next.becameDegraded(gang, inPlace, needed);
    }

    @Override
    public void recovered(GroupKey gang, int inPlace) {
        if (leading.getAsBoolean()) {
            log.atInfo()
                    .setMessage("Gang no longer degraded")
                    .addKeyValue("gang", gang)
                    .addKeyValue("inPlace", inPlace)
                    .log();
        }
        next.recovered(gang, inPlace);
    }

    @Override
    public void lookedInto(Finding finding, int pods, long steps, long nanos) {
        next.lookedInto(finding, pods, steps, nanos);
    }

    @Override
    public void lookedIntoGang(long nanos) {
        next.lookedIntoGang(nanos);
    }

    @Override
    public void gangTried(String profile, GangResult result, long nanos) {
        next.gangTried(profile, result, nanos);
    }

    @Override
    public void degraded(int gangs) {
        next.degraded(gangs);
    }
}
