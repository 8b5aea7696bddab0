package io.evenkeel.app.live;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Status;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A log of failed plugins: the pod's condition has room for a message only. Each stack trace is logged once, as what
 * fails for one pod may fail for ten thousand, again and again. Passes all events on to the next observer.
 */
final class FaultLog implements SchedulerObserver {
    private static final Logger log = LoggerFactory.getLogger(FaultLog.class);
    private static final int MOST_TRACES = 100;

    private final SchedulerObserver next;
    private final BooleanSupplier leading;
    private final Set<List<StackTraceElement>> told = ConcurrentHashMap.newKeySet();

    /** @param leading whether this replica tells of gangs, as all replicas see the same */
    public FaultLog(SchedulerObserver next, BooleanSupplier leading) {
        this.next = next;
        this.leading = leading;
    }

    @Override
    public void faulted(Pod pod, RuntimeException fault) {
        LoggingEventBuilder line = log.atError().setMessage("A plugin failed").addKeyValue("pod", pod.key());
        boolean isNew = told.size() < MOST_TRACES && told.add(List.of(fault.getStackTrace()));
        (isNew ? line.setCause(fault) : line.addKeyValue("why", fault)).log();
        next.faulted(pod, fault);
    }

    @Override
    public void attempted(String profile, AttemptResult result, long nanos) {
        next.attempted(profile, result, nanos);
    }

    @Override
    public void decided(long nanos) {
        next.decided(nanos);
    }

    @Override
    public void scheduled(Pod pod, int attempts, long nanosSinceFirstActive) {
        next.scheduled(pod, attempts, nanosSinceFirstActive);
    }

    @Override
    public void waitedOnPermit(Status.Code result, long nanos) {
        next.waitedOnPermit(result, nanos);
    }

    @Override
    public void waitedForDevices(String profile, String driver, WaitResult result, long nanos) {
        next.waitedForDevices(profile, driver, result, nanos);
    }

    @Override
    public void wrote(ObjectPatch patch, boolean success) {
        next.wrote(patch, success);
    }

    @Override
    public void deferred(String namespace) {
        next.deferred(namespace);
    }

    @Override
    public void preemptionTried() {
        next.preemptionTried();
    }

    @Override
    public void preempting(int victims) {
        next.preempting(victims);
    }

    @Override
    public void preempted(boolean success, long nanos) {
        next.preempted(success, nanos);
    }

    @Override
    public void handled(String event, long nanos) {
        next.handled(event, nanos);
    }

    @Override
    public ProfileObserver profile(String schedulerName) {
        return next.profile(schedulerName);
    }

    @Override
    public GroupObserver groups() {
        return new GroupLog(next.groups(), leading);
    }

    @Override
    public QueueObserver queue() {
        return next.queue();
    }

    /** A log of gangs that run with fewer pods than they need, by the leader alone. Passes all events on to the next observer. */
    record GroupLog(GroupObserver next, BooleanSupplier leading) implements GroupObserver {
        private static final Logger log = LoggerFactory.getLogger(GroupLog.class);

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
}
