package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A scheduler to which recorded calls are made. The clock shows it what it showed in the run. */
abstract sealed class ReplayedCalls permits ReplayedRun, RestartedRun {
    private final Scheduler scheduler;
    private Optional<RecordedCall> current = Optional.empty();
    private long events;
    private long now;

    ReplayedCalls(SegmentHeader first, PluginRegistry registry, NodeChoice choice) {
        now = first.nanos();
        scheduler = new Scheduler(
                first.settings().configuration(),
                registry,
                choice,
                first.settings().settings(),
                command -> said(command, current),
                SchedulerObserver.NONE,
                this::time);
    }

    final Scheduler scheduler() {
        return scheduler;
    }

    /** How many have been taken in. */
    final long events() {
        return events;
    }

    final long now() {
        return now;
    }

    private long time() {
        current.ifPresent(call -> call.nextTime().ifPresent(next -> now = next));
        return now;
    }

    final void call(RecordedCall call) {
        current = Optional.of(call);
        events += call.isEvent() ? 1 : 0;
        make(call);
        current = Optional.empty();
    }

    /** Makes the call, and compares or counts what comes of it. */
    abstract void make(RecordedCall call);

    /** Hears what the scheduler commands, as this call is made. */
    abstract void said(Command command, Optional<RecordedCall> call);

    /** Before the first call: these objects are known. */
    abstract void begin(List<KubernetesObject> objects);

    /** Where it first decided otherwise, where that is one. */
    abstract Optional<Difference> difference();

    abstract long hash();

    abstract Tally tally();

    /**
     * The counts of a replay.
     *
     * @param bindings that were recorded; where not all have to be the same
     * @param same of these
     * @param others of these, to other nodes
     */
    record Tally(long events, long decisions, long bindings, long same, long others) {}

    /**
     * The first place where a replay decides otherwise than the run did.
     *
     * @param event the number of the event that was taken in last, from 1 on
     * @param pod that it is about
     * @param text what was recorded, and what was replayed
     */
    record Difference(long event, Instant time, String pod, String text) {}
}
