package io.evenkeel.app.live;

import io.evenkeel.framework.run.SchedulerObserver;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver;
import io.evenkeel.queue.QueueObserver;

/** The observers of the parts of a live scheduler. */
public record LiveObservers(
        SchedulerObserver scheduler, QueueObserver queue, DispatcherObserver dispatcher, EngineLoop.LoopObserver loop) {
    public static final LiveObservers NONE = new LiveObservers(
            SchedulerObserver.NONE, QueueObserver.NONE, DispatcherObserver.NONE, EngineLoop.LoopObserver.NONE);
}
