package io.evenkeel.app.companion;

import io.evenkeel.kube.event.EventSink;
import io.evenkeel.kube.patch.Pace;
import io.evenkeel.kube.patch.PatchObserver;
import io.evenkeel.kube.patch.PatchSink;

/** What a companion has of the scheduler that it looks at, beside the scheduler itself. */
public interface Surroundings {

    /** Whether this replica leads. What it does not lead is another's to write about. */
    boolean isLeading();

    /**
     * A writer of its own, whose pace no other companion's writes slow down.
     *
     * @param name of its thread
     */
    default PatchSink patches(String name, Pace pace) {
        return patches(name, pace, PatchObserver.NONE);
    }

    /** The same, of which it is told what became of each patch; by that thread, or at once where nothing is written. */
    PatchSink patches(String name, Pace pace, PatchObserver observer);

    /** Events for users. */
    EventSink events();
}
