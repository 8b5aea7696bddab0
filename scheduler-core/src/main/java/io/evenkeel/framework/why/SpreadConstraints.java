package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** One of a pod's topology spread constraints, by its place among them. */
final class SpreadConstraints {
    private SpreadConstraints() {}

    static Pod changed(Pod pod, int index, UnaryOperator<TopologySpreadConstraint> change) {
        List<TopologySpreadConstraint> constraints = new ArrayList<>(pod.spec().topologySpread());
        constraints.set(index, change.apply(constraints.get(index)));
        return PodBuilder.from(pod).topologySpread(constraints).build();
    }

    static String path(int index, String field) {
        return "/spec/topologySpreadConstraints/" + index + "/" + field;
    }
}
