package io.evenkeel.tools.rerun;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.KubernetesObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A scheduler to which recorded calls are made. */
sealed interface ReplayedCalls permits ReplayedRun, RestartedRun {
    Scheduler scheduler();

    /** Before the first call: these objects are known. */
    void begin(List<KubernetesObject> objects);

    void call(RecordedCall call);

    /** Where it first decided otherwise, where that is one. */
    Optional<Difference> difference();

    long hash();

    Tally tally();

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
