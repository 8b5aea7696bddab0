package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import java.util.List;

/** Nominated pods as the reference's filters see them for one pod, by the cluster as it is when its cycle begins. */
final class NoticedPods {
    private final boolean affinityIsSkipped;

    NoticedPods(ClusterView cluster, Pod pod) {
        PodAffinity own = pod.spec().podAffinity();
        boolean isConcerned =
                !own.requiredAffinity().isEmpty() || !own.requiredAntiAffinity().isEmpty();
        PodTable pods = cluster.pods();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)
                    && cluster.nodes().isPresent(pods.node(row))
                    && isShunned(pod, pods.pod(row), pods.node(row), cluster)) {
                isConcerned = true;
            }
        }
        affinityIsSkipped = !isConcerned;
    }

    private static boolean isShunned(Pod pod, Pod other, int node, ClusterView cluster) {
        return other.spec().podAffinity().requiredAntiAffinity().stream()
                .filter(term -> cluster.nodes().node(node).labels().has(term.topologyKey()))
                .anyMatch((PodAffinityTerm term) -> PodMatch.of(term, other.namespace())
                        .matches(pod.namespace(), pod.labels(), cluster.namespaces()));
    }

    Pod asNoticed(Pod nominated) {
        PodAffinity affinity = nominated.spec().podAffinity();
        return affinityIsSkipped
                ? PodBuilder.from(nominated)
                        .podAffinity(new PodAffinity(
                                affinity.requiredAffinity(),
                                affinity.preferredAffinity(),
                                List.of(),
                                affinity.preferredAntiAffinity()))
                        .build()
                : nominated;
    }
}
