package io.evenkeel.cluster;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.ArrayList;
import java.util.List;

/** Whom default spreading spreads a pod from, by asking every Service and every controller. */
final class NaivePeers {
    private NaivePeers() {}

    static LabelSelector selectorOf(Pod pod, ExpectedCluster cluster) {
        List<LabelRequirement> all = new ArrayList<>();
        cluster.services.values().stream()
                .filter(service -> service.meta().namespace().equals(pod.namespace()))
                .map(service -> LabelSelector.matchingLabels(service.selector()))
                .filter(selector -> !selector.matchesEverything() && selector.matches(pod.labels()))
                .forEach(selector -> all.addAll(selector.requirements()));
        if (pod.meta().controller().isPresent()) {
            OwnerReference reference = pod.meta().controller().get();
            cluster.owners.values().stream()
                    .filter(owner -> owner.meta().namespace().equals(pod.namespace())
                            && owner.meta().name().equals(reference.name())
                            && owner.kind().isReferredToBy(reference))
                    .forEach(owner -> all.addAll(owner.selector().requirements()));
        }
        return LabelSelector.of(all);
    }
}
