package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.ZONES;
import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.SpreadSkews.Skew;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpreadSkewsTest {
    private final ClusterState cluster = cluster("a: n1[web web web]", "b: n2[web]", "c: n3[db]");

    @Test
    void theSkewIsTheFullestDomainLessTheEmptiest() {
        constrain("web", 1);

        assertThat(SpreadSkews.worst(cluster.view(), 10).skews())
                .containsExactly(new Skew("default", ZONES.label(), "app=web", true, 1, 3, 3, 1));
    }

    @Test
    void theWorstComeFirstAndTheRestIsCounted() {
        constrain("db", 1);
        constrain("web", 1);

        SpreadSkews.Worst worst = SpreadSkews.worst(cluster.view(), 1);
        assertThat(worst.skews()).extracting(Skew::selector).containsExactly("app=web");
        assertThat(worst.leftOut()).isEqualTo(1);
    }

    @Test
    void aConstraintThatNobodyCountsForIsNotThere() {
        cluster.admit(constrained("web", 1));

        assertThat(SpreadSkews.worst(cluster.view(), 10).skews()).isEmpty();
    }

    private void constrain(String name, int maxSkew) {
        PodInfo pod = cluster.admit(constrained(name, maxSkew));
        TopologySpreadConstraint constraint =
                pod.shape().spread().value().constraints().getFirst();
        PodMatch match = new PodMatch(NamespaceScope.only("default"), constraint.labelSelector());
        SelectorGroup group = cluster.view().selectors().acquire(new SelectorGroup.Key(List.of(match), false));
        cluster.view().counters().acquire(group.tally(), ZONES, NodeEligibility.Key.having(ZONES.label()), true);
    }

    private static Pod constrained(String name, int maxSkew) {
        LabelSelector selector = LabelSelector.matchingLabels(Labels.of(Map.of("app", name)));
        return app("new-" + name, name)
                .spread(TopologySpreadConstraint.of(
                        maxSkew, ZONES.label(), WhenUnsatisfiable.DO_NOT_SCHEDULE, selector))
                .build();
    }
}
