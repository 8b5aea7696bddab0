package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import java.util.List;

/**
 * Nodes with taints that the pod does not tolerate counted no longer by one of its spread constraints.
 *
 * @param index its place among them
 */
public record TaintsHonoured(int index, String topologyKey) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.TAINTS_POLICY;
    }

    @Override
    public String text() {
        return "nodeTaintsPolicy Honor instead of Ignore over " + topologyKey;
    }

    @Override
    public Pod applied(Pod pod) {
        return SpreadConstraints.changed(
                pod, index, constraint -> constraint.withTaintsPolicy(NodeInclusionPolicy.HONOR));
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        return List.of(PatchOperation.add(
                SpreadConstraints.path(index, "nodeTaintsPolicy"), NodeInclusionPolicy.HONOR.apiName()));
    }
}
