package io.evenkeel.engine;

import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.cluster.shape.UnreadableFacets;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.Pod;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Tells the observer what plugins fail to read: once for a pod, which is read anew whenever it changes, as long as it is
 * among the last thousand of those that were told of.
 */
final class FacetFaults implements UnreadableFacets {
    private static final int REMEMBERED = 1_000;

    private final SchedulerObserver observer;
    private final Set<Told> told = new LinkedHashSet<>();

    private record Told(String pod, String uid, FacetKind<?> kind) {}

    FacetFaults(SchedulerObserver observer) {
        this.observer = observer;
    }

    @Override
    public void unreadable(Pod pod, FacetKind<?> kind, Throwable thrown) {
        PluginFailure failure = PluginFailure.reading(kind, thrown);
        if (told.add(new Told(pod.key(), pod.meta().uid(), kind))) {
            forgetEldest();
            observer.faulted(pod, failure);
        }
    }

    private void forgetEldest() {
        if (told.size() > REMEMBERED) {
            Iterator<Told> eldestFirst = told.iterator();
            eldestFirst.next();
            eldestFirst.remove();
        }
    }
}
