package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.run.Objection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RejectedByTest {
    private static final Status NO = Status.unschedulable("no");
    private static final Status NOT_YET = new Status(Status.Code.PENDING, List.of("not yet"));

    @Test
    void aPluginThatSaysNotYetIsToldFromOneThatSaysNo() {
        assertThat(RejectedBy.of(new Objection("A", NO))).isEqualTo(new RejectedBy(Set.of("A"), Set.of()));
        assertThat(RejectedBy.of(new Objection("A", NOT_YET))).isEqualTo(new RejectedBy(Set.of(), Set.of("A")));
    }

    @Test
    void whoTurnsThePodAwayAsAWholeIsNamedBesideWhoNarrowedTheNodes() {
        assertThat(RejectedBy.of(turnedAway("A", NO))).isEqualTo(new RejectedBy(Set.of("A", "Narrowing"), Set.of()));
        assertThat(RejectedBy.of(turnedAway("A", NOT_YET))).isEqualTo(new RejectedBy(Set.of("Narrowing"), Set.of("A")));
        assertThat(RejectedBy.of(turnedAway("", NO)))
                .as("nothing was left of the nodes that they named")
                .isEqualTo(new RejectedBy(Set.of("Narrowing"), Set.of()));
    }

    @Test
    void whoTurnsNodesAwayIsNamedByItsVerdict() {
        Rejections.Writer filtering = Rejections.create();
        Rejections rejections = filtering.rejections();
        NodeSet candidates = nodes(0, 1);
        filtering.from("A");
        rejections.reject(candidates, nodes(0), NO);
        filtering.from("B");
        rejections.reject(candidates, nodes(1), NOT_YET);

        assertThat(RejectedBy.of(filtered(rejections))).isEqualTo(new RejectedBy(Set.of("A"), Set.of("B")));
    }

    @Test
    void soIsWhoDoesItThoughSomethingElseIsSaidOfTheNode() {
        Rejections.Writer filtering = Rejections.create();
        Rejections rejections = filtering.rejections();
        filtering.from("Affinity");
        rejections.reject(nodes(0, 1), nodes(0, 1), NO);
        filtering.turnAway(0, "Fit", NO);
        filtering.turnAway(1, "Fit", NO);

        assertThat(rejections.copy()).extracting(Rejection::plugin).containsExactly("Fit");
        assertThat(RejectedBy.of(filtered(rejections)))
                .isEqualTo(new RejectedBy(Set.of("Fit"), Set.of(), Set.of("Affinity"), false, false));

        filtering.reset();
        filtering.turnAway(0, "Fit", NO);
        assertThat(RejectedBy.of(filtered(rejections)).others()).isEmpty();
    }

    private static Diagnosis filtered(Rejections rejections) {
        return new Diagnosis(
                2, Optional.empty(), rejections.copy(), rejections.overruled(), new NodeSet(), List.of(), "");
    }

    private static Diagnosis turnedAway(String plugin, Status status) {
        return new Diagnosis(
                2,
                Optional.of(new Diagnosis.PreFilterRejection(plugin, status)),
                List.of(),
                Set.of(),
                new NodeSet(),
                List.of("Narrowing"),
                "");
    }

    private static NodeSet nodes(int... ids) {
        NodeSet nodes = new NodeSet();
        for (int id : ids) {
            nodes.add(id);
        }
        return nodes;
    }
}
