package io.evenkeel.app.live;

import io.evenkeel.framework.ProfileObserver;
import io.evenkeel.framework.SchedulerObserver;
import io.evenkeel.model.Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs where a plugin failed: the pod's condition has room for a message only. Passes on all that it is told. */
record FaultLog(SchedulerObserver next) implements SchedulerObserver {
    private static final Logger log = LoggerFactory.getLogger(FaultLog.class);

    @Override
    public void faulted(Pod pod, RuntimeException fault) {
        log.atError()
                .setMessage("A plugin failed")
                .addKeyValue("pod", pod.key())
                .setCause(fault)
                .log();
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
    public void scheduled(Pod pod, int attempts, long nanosSinceFirstAttempt) {
        next.scheduled(pod, attempts, nanosSinceFirstAttempt);
    }

    @Override
    public void handled(String event, long nanos) {
        next.handled(event, nanos);
    }

    @Override
    public ProfileObserver profile(String schedulerName) {
        return next.profile(schedulerName);
    }
}
