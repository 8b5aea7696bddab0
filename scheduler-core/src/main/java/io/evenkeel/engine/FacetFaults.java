package io.evenkeel.engine;

import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.cluster.shape.PodShapes.UnreadableFacets;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.Pod;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Tells the observer what plugins fail to read: once for a pod, which is read again whenever it changes, as long as it is
 * among the last thousand of those that were told of.
 */
public final class FacetFaults implements UnreadableFacets {
    private static final int REMEMBERED = 1_000;

    private final BiConsumer<Pod, RuntimeException> observer;
    private final Set<Told> told = new LinkedHashSet<>();

    private record Told(String pod, String uid, FacetKind<?> kind) {}

    /**
     * None told of yet.
     *
     * @param observer told of each pod and fault
     */
    public FacetFaults(BiConsumer<Pod, RuntimeException> observer) {
        this.observer = observer;
    }

    @Override
    public void unreadable(Pod pod, FacetKind<?> kind, Throwable thrown) {
        PluginFailure failure = PluginFailure.reading(kind, thrown);
        if (told.add(new Told(pod.key(), pod.meta().uid(), kind))) {
            forgetEldest();
            observer.accept(pod, failure);
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
