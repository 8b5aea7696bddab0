package io.evenkeel.app.live;

import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver;
import io.evenkeel.kube.extender.ExtenderObserver;

/** The observers of the parts of a live scheduler. */
public record LiveObservers(
        SchedulerObserver scheduler,
        DispatcherObserver dispatcher,
        ExtenderObserver extenders,
        EngineLoop.LoopObserver loop) {
    public static final LiveObservers NONE =
            new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, EngineLoop.LoopObserver.NONE);

    /** Without regard to extenders. */
    public LiveObservers(SchedulerObserver scheduler, DispatcherObserver dispatcher, EngineLoop.LoopObserver loop) {
        this(scheduler, dispatcher, ExtenderObserver.NONE, loop);
    }
}
