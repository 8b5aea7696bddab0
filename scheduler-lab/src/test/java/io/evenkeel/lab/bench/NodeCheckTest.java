package io.evenkeel.lab.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.problem.UserProblem;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeCheckTest {
    private static final Node PLAIN =
            NodeBuilder.node("plain").hostname("plain").allocatable("pods", "9").build();
    private static final Node TAINTED = NodeBuilder.node("tainted")
            .hostname("tainted")
            .allocatable("pods", "9")
            .taint("foo", "", TaintEffect.NO_SCHEDULE)
            .build();

    @Test
    void nobodyIsWhereTaintsKeepThemAway() {
        assertThatThrownBy(() -> check(pod(), "tainted"))
                .isInstanceOf(UserProblem.class)
                .hasMessage("pod default/pod is on tainted, whose taints it does not tolerate");
    }

    @Test
    void nobodyIsWhereTheirAffinityDoesNotSelect() {
        NodeSelectorTerm term = new NodeSelectorTerm(
                List.of(),
                List.of(new NodeSelectorRequirement(NodeSelectorTerm.NAME_FIELD, Operator.IN, List.of("other"))));
        Pod pod = PodBuilder.from(pod())
                .nodeAffinity(new NodeAffinity(Optional.of(new NodeSelector(List.of(term))), List.of()))
                .build();

        assertThatThrownBy(() -> check(pod, "plain"))
                .isInstanceOf(UserProblem.class)
                .hasMessage("pod default/pod is on plain, which its node affinity does not select");
    }

    @Test
    void nodesThatTheConstraintPassesOverDoNotCountAsEmpty() {
        assertThatCode(() -> check(spread(NodeInclusionPolicy.HONOR), "plain", "plain"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> check(spread(NodeInclusionPolicy.IGNORE), "plain", "plain"))
                .isInstanceOf(UserProblem.class)
                .hasMessageContaining("have skew 2 over kubernetes.io/hostname");
    }

    private static Pod spread(NodeInclusionPolicy taints) {
        return PodBuilder.from(pod())
                .spread(new TopologySpreadConstraint(
                        1,
                        Node.HOSTNAME,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.EVERYTHING,
                        1,
                        NodeInclusionPolicy.HONOR,
                        taints,
                        List.of()))
                .build();
    }

    private static Pod pod() {
        return PodBuilder.pod("pod").build();
    }

    private static void check(Pod pod, String... nodes) {
        List<Pod> pods = List.of(nodes).stream().map(node -> pod).toList();
        PlacementCheck.check(List.of(PLAIN, TAINTED), pods, List.of(nodes));
    }
}
