package io.evenkeel.app.companion;

import io.evenkeel.kube.event.EventSink;
import io.evenkeel.kube.patch.Pace;
import io.evenkeel.kube.patch.PatchObserver;
import io.evenkeel.kube.patch.PatchSink;

/** The surroundings of a companion, beside the scheduler that it looks at. */
public interface Surroundings {

    /** Whether this replica leads. What it does not lead is another's to write about. */
    boolean isLeading();

    /**
     * Makes a writer of its own: other companions' writes do not slow down its pace.
     *
     * @param name of its thread
     */
    default PatchSink patches(String name, Pace pace) {
        return patches(name, pace, PatchObserver.NONE);
    }

    /** Makes a writer that also tells how each patch ended; by that thread, or at once where nothing is written. */
    PatchSink patches(String name, Pace pace, PatchObserver observer);

    /** Events for users. */
    EventSink events();
}
