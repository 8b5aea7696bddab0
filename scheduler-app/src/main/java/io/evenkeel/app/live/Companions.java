package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionWrites;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.dispatch.CommandSink;
import java.util.List;
import java.util.Optional;

/** Those that look on beside a live scheduler: told of each turn one after the other. */
final class Companions implements EngineLoop.LoopObserver, AutoCloseable {
    private final List<Companion> all;
    private final CompanionWrites writes;

    private Companions(List<Companion> all, CompanionWrites writes) {
        this.all = all;
        this.writes = writes;
    }

    /** Lets them begin. */
    static Companions begin(
            LiveObservers observers,
            LiveOptions options,
            ApiTransport transport,
            Leadership leadership,
            CommandSink commands,
            Machine machine) {
        CompanionWrites writes = new CompanionWrites(
                options.isReadOnly() ? Optional.empty() : Optional.of(transport),
                leadership::isLeading,
                leadership::mayWrite,
                commands,
                machine);
        observers.companions().forEach(each -> each.begin(writes));
        return new Companions(observers.companions(), writes);
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        for (Companion each : all) {
            each.taking(scheduler, event);
        }
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {
        for (Companion each : all) {
            each.turned(scheduler);
        }
    }

    @Override
    public void close() {
        writes.close();
    }
}
