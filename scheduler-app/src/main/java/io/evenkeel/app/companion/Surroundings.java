package io.evenkeel.app.companion;

import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;

/** The surroundings of a companion, beside the scheduler that it looks at: where it may also do something. */
public interface Surroundings extends AskedCluster {

    /** Whether something may be written now: leading is not enough where the lease is about to run out. */
    boolean mayWrite();

    /** Has a place held, or released, on the engine's thread. */
    void post(OfPlace place);

    /** Makes a writer of its own: other companions' writes do not slow down its pace. */
    default PatchSink patches(String name, Pace pace) {
        return patches(name, pace, PatchObserver.NONE);
    }

    /** Makes a writer that also tells how each patch ended; by that thread, or at once where nothing is written. */
    PatchSink patches(String name, Pace pace, PatchObserver observer);

    EventSink events();
}
