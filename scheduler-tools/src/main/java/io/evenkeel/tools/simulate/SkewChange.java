package io.evenkeel.tools.simulate;

import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How evenly the pods that a constraint selects are spread, before and after.
 *
 * @param before pods by domain, of those domains that the constraint counts
 */
record SkewChange(
        Workload workload,
        TopologySpreadConstraint constraint,
        SortedMap<String, Integer> before,
        SortedMap<String, Integer> after) {

    /** Of the constraints of some workloads' pods. */
    static List<SkewChange> of(Map<Workload, Pod> models, ClusterPicture before, ClusterPicture after) {
        Map<Object, SkewChange> skews = new LinkedHashMap<>();
        models.forEach((workload, pod) -> {
            Set<TopologySpreadConstraint> constraints =
                    new LinkedHashSet<>(pod.spec().topologySpread());
            for (TopologySpreadConstraint constraint : constraints) {
                skews.put(
                        List.of(workload, constraint),
                        new SkewChange(
                                workload, constraint, count(pod, constraint, before), count(pod, constraint, after)));
            }
        });
        return List.copyOf(skews.values());
    }

    private static SortedMap<String, Integer> count(
            Pod pod, TopologySpreadConstraint constraint, ClusterPicture picture) {
        SortedMap<String, Integer> domains = new TreeMap<>();
        Map<String, String> domainOf = new LinkedHashMap<>();
        for (Node node : picture.nodes()) {
            if (counts(node, pod, constraint)) {
                String domain = node.labels().getOrDefault(constraint.topologyKey(), "");
                domains.putIfAbsent(domain, 0);
                domainOf.put(node.name(), domain);
            }
        }
        for (Pod other : picture.pods()) {
            String domain = domainOf.get(other.spec().nodeName());
            if (domain != null
                    && other.namespace().equals(pod.namespace())
                    && !other.meta().terminating()
                    && !constraint.labelSelector().matchesEverything()
                    && constraint.labelSelector().matches(other.labels())) {
                domains.merge(domain, 1, Integer::sum);
            }
        }
        return domains;
    }

    /** Whether a node is in one of the domains, as its policies say. */
    private static boolean counts(Node node, Pod pod, TopologySpreadConstraint constraint) {
        boolean hasKeys = pod.spec().topologySpread().stream()
                .filter(other -> other.isHard() == constraint.isHard())
                .allMatch(other -> node.labels().has(other.topologyKey()));
        boolean isSelected = constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE
                || (node.labels().hasAll(pod.spec().nodeSelector())
                        && pod.spec()
                                .nodeAffinity()
                                .required()
                                .map(required -> required.matches(node.labels(), node.name()))
                                .orElse(true));
        boolean isTolerated = constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                || node.taints().stream()
                        .filter(taint -> taint.effect().keepsPodsAway())
                        .allMatch(taint ->
                                pod.spec().tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint)));
        return hasKeys && isSelected && isTolerated;
    }

    int skewBefore() {
        return Skew.of(before.values(), constraint).skew();
    }

    int skewAfter() {
        return Skew.of(after.values(), constraint).skew();
    }
}
