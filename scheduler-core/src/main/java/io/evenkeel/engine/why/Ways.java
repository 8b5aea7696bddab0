package io.evenkeel.engine.why;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.PodGone;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the plugins of a profile say of a node that they turn a pod away from: how far it is from one that would do, and what
 * might help. Whoever asks may not be allowed to know of all pods; what would name others is left out.
 *
 * @param plugins those that say anything, by name
 * @param nameable which pods may be named as ones that could go
 */
record Ways(Map<String, ExplainingPlugin> plugins, Predicate<Pod> nameable) {

    double distance(Objection objection, PodInfo pod, NodeInfo node) {
        return plugin(objection).map(plugin -> plugin.distance(pod, node)).orElse(0d);
    }

    /** Each by itself might take the objection out of the pod's way. */
    List<List<Change>> past(Objection objection, PodInfo pod, NodeInfo node) {
        return plugin(objection).map(plugin -> plugin.remedies(pod, node)).orElse(List.of()).stream()
                .filter(this::mayBeTold)
                .toList();
    }

    /** Whether it may be told who would go for the pod, whoever that is. */
    boolean mayNameAll(Collection<Pod> pods) {
        return pods.stream().allMatch(nameable);
    }

    boolean mayBeTold(Collection<Change> changes) {
        return changes.stream().allMatch(change -> !(change instanceof PodGone gone) || nameable.test(gone.pod()));
    }

    private Optional<ExplainingPlugin> plugin(Objection objection) {
        return Optional.ofNullable(plugins.get(objection.plugin()));
    }
}
