package io.evenkeel.whatif.why;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The words of a profile's plugins for a node that they turn a pod away from: how far it is from one that would do, and what
 * might help. Whoever asks may not be allowed to know of all pods; what would name others is left out.
 *
 * @param plugins the plugins that say anything, by name
 * @param nameable which pods may be named as ones that could go
 */
record RemedyMenu(Map<String, ? extends ExplainingPlugin> plugins, Predicate<Pod> nameable) {
    private static final int MOST_LABELS = 8;

    double distance(Objection objection, PodInfo pod, NodeInfo node) {
        return plugin(objection).map(plugin -> plugin.distance(pod, node)).orElse(0d);
    }

    /** Each by itself might take the objection out of the pod's way. */
    List<List<Change>> past(Objection objection, PodInfo pod, NodeInfo node) {
        return plugin(objection).map(plugin -> plugin.remedies(pod, node)).orElse(List.of()).stream()
                .filter(this::mayBeTold)
                .toList();
    }

    /** Whether all pods may be named that would go for the pod. */
    boolean mayNameAll(Collection<Pod> pods) {
        return pods.stream().allMatch(nameable);
    }

    boolean mayBeTold(Collection<Change> changes) {
        return changes.stream().allMatch(change -> !(change instanceof PodGone gone) || nameable.test(gone.pod()));
    }

    /** Returns the labels that a new node may need for all plugins together. */
    List<Labels> labelsOfNewNodes(PodInfo pod) {
        List<Labels> all = List.of(Labels.EMPTY);
        for (ExplainingPlugin plugin : plugins.values()) {
            List<Labels> some = plugin.labelsOfNewNodes(pod);
            if (!some.isEmpty()) {
                all = all.stream()
                        .flatMap(one -> some.stream().flatMap(other -> both(one, other).stream()))
                        .distinct()
                        .limit(MOST_LABELS)
                        .toList();
            }
        }
        return all.stream().filter(labels -> labels.size() > 0).toList();
    }

    /** Empty where they contradict one another. */
    private static Optional<Labels> both(Labels one, Labels other) {
        Labels both = one.withAll(other);
        return both.hasAll(one) ? Optional.of(both) : Optional.empty();
    }

    private Optional<ExplainingPlugin> plugin(Objection objection) {
        return Optional.ofNullable(plugins.get(objection.plugin()));
    }
}
