package io.evenkeel.app.live;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import java.util.List;

/** An audit after each turn in which something came in; a difference ends the scheduler. */
final class TurnAudit implements EngineLoop.LoopObserver {
    private final EngineLoop.LoopObserver next;

    TurnAudit(EngineLoop.LoopObserver next) {
        this.next = next;
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        next.taking(scheduler, event);
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {
        next.turned(scheduler, events, nanos);
        if (events > 0) {
            List<String> differences = ClusterAudit.differences(scheduler.cluster());
            if (!differences.isEmpty()) {
                throw new IllegalStateException("the audit found: " + String.join("; ", differences));
            }
        }
    }
}
