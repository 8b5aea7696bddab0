package io.evenkeel.app.live;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.Scheduler;
import java.util.List;

/** An audit after each turn in which something came in; a difference ends the scheduler. */
final class TurnAudit implements EngineLoop.LoopObserver {
    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {
        if (events > 0) {
            List<String> differences = ClusterAudit.differences(scheduler.cluster());
            if (!differences.isEmpty()) {
                throw new IllegalStateException("the audit found: " + String.join("; ", differences));
            }
        }
    }
}
