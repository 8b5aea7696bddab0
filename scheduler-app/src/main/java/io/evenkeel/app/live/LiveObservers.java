package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import java.util.List;

/** The observers of a live scheduler, and the companions beside it in the order in which they are told. */
public record LiveObservers(
        SchedulerObserver scheduler,
        DispatcherObserver dispatcher,
        ExtenderObserver extenders,
        LoopObserver loop,
        List<Companion> companions) {
    public static final LiveObservers NONE =
            new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, LoopObserver.NONE);

    public LiveObservers {
        companions = List.copyOf(companions);
    }

    static LiveObservers of(LiveMetrics metrics, List<Companion> companions) {
        return new LiveObservers(
                metrics.engine(),
                metrics.dispatcher(),
                metrics.extenders(),
                new LoopObserver() {
                    @Override
                    public void turned(Scheduler scheduler, int events, long nanos) {
                        metrics.looped(nanos);
                    }
                },
                companions);
    }

    /** Without extenders and companions. */
    public LiveObservers(SchedulerObserver scheduler, DispatcherObserver dispatcher, LoopObserver loop) {
        this(scheduler, dispatcher, ExtenderObserver.NONE, loop, List.of());
    }

    public LiveObservers with(List<Companion> beside) {
        return new LiveObservers(scheduler, dispatcher, extenders, loop, beside);
    }
}
