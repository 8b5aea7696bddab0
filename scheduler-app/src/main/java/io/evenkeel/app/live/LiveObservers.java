package io.evenkeel.app.live;

import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver;

/** The observers of the parts of a live scheduler. */
public record LiveObservers(SchedulerObserver scheduler, DispatcherObserver dispatcher, EngineLoop.LoopObserver loop) {
    public static final LiveObservers NONE =
            new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, EngineLoop.LoopObserver.NONE);
}
