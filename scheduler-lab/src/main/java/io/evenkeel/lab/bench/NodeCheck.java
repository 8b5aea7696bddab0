package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Placements.Placement;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.problem.UserProblem;

/** Checks that each pod tolerates the taints of its node and selects it by its node affinity. */
final class NodeCheck {
    private NodeCheck() {}

    static void check(Placements placements) {
        for (Placement placement : placements.all()) {
            Pod pod = placement.pod();
            Node node = placement.node();
            if (!tolerates(pod, node)) {
                throw new UserProblem(
                        "pod " + pod.key() + " is on " + node.name() + ", whose taints it does not tolerate");
            }
            if (!selects(pod, node)) {
                throw new UserProblem(
                        "pod " + pod.key() + " is on " + node.name() + ", which its node affinity does not select");
            }
        }
    }

    /** Whether the constraint, which is of this pod, counts what is on the node. */
    static boolean counts(TopologySpreadConstraint constraint, Pod pod, Node node) {
        return (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE || tolerates(pod, node))
                && (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE || selects(pod, node));
    }

    private static boolean tolerates(Pod pod, Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect() != TaintEffect.PREFER_NO_SCHEDULE)
                .allMatch(
                        taint -> pod.spec().tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint)));
    }

    private static boolean selects(Pod pod, Node node) {
        return pod.spec()
                .nodeAffinity()
                .required()
                .map(selector -> selector.matches(node.labels(), node.name()))
                .orElse(true);
    }
}
