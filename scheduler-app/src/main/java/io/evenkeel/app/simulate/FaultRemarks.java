package io.evenkeel.app.simulate;

import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What went wrong in a run that is a plugin's fault, and not a pod's, each said once. */
final class FaultRemarks implements SchedulerObserver {
    private static final int LONGEST = 300;

    private final Set<String> remarks = new LinkedHashSet<>();

    @Override
    public void faulted(Pod pod, RuntimeException fault) {
        remarks.add("a plugin failed: " + Excerpt.of(String.valueOf(fault.getMessage()), LONGEST));
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }
}
