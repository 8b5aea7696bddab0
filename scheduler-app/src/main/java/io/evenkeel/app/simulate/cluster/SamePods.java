package io.evenkeel.app.simulate.cluster;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Set;

/** Whether pods are of one template, as far as scheduling reads them. */
final class SamePods {
    /** Labels that controllers give. */
    private static final Set<String> OWN = Set.of(
            "pod-template-hash",
            "controller-revision-hash",
            "apps.kubernetes.io/pod-index",
            "statefulset.kubernetes.io/pod-name",
            "controller-uid",
            "batch.kubernetes.io/controller-uid");

    private SamePods() {}

    static boolean are(Pod one, Pod other) {
        return labels(one).equals(labels(other)) && spec(one).equals(spec(other));
    }

    private static Labels labels(Pod pod) {
        return pod.labels().retain(key -> !OWN.contains(key));
    }

    /** Claims are a pod's own, and so are values of those labels that {@code matchLabelKeys} have become. */
    private static PodSpec spec(Pod pod) {
        List<TopologySpreadConstraint> spread =
                pod.spec().topologySpread().stream().map(SamePods::withoutOwn).toList();
        PodSpec spec = PodBuilder.from(pod).topologySpread(spread).build().spec();
        return spec.withNodeName("").withVolumes(List.of(), List.of());
    }

    private static TopologySpreadConstraint withoutOwn(TopologySpreadConstraint constraint) {
        LabelSelector selector = constraint.labelSelector();
        return constraint.withSelector(new LabelSelector(
                selector.matchesNothing(),
                selector.requirements().stream()
                        .filter(requirement -> !OWN.contains(requirement.key()))
                        .toList()));
    }
}
