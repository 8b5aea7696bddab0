package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Consolidation.Alone;
import io.evenkeel.whatif.drain.Consolidation.Replacement;
import io.evenkeel.whatif.drain.Consolidation.Together;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.rebalance.Move;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsolidationTest {
    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    private static Node node(String name, int cpus) {
        return NodeBuilder.node(name)
                .hostname(name)
                .allocatable("cpu", Integer.toString(cpus), "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name, String node, int cpus) {
        return PodBuilder.pod(name)
                .label("app", "web")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "uid"))
                .container("cpu", Integer.toString(cpus))
                .nodeName(node);
    }

    @BeforeEach
    void threeNodes() {
        List.of(node("n1", 4), node("n2", 4), node("n3", 4)).forEach(cluster::put);
        cluster.put(pod("big", "n1", 3).build());
        cluster.put(pod("one", "n2", 1).build());
        cluster.put(pod("two", "n3", 2).build());
    }

    @AfterEach
    void allIsAsItWas() {
        assertThat(cluster.pods()).hasSize(3);
        assertThat(cluster.nodes()).containsExactly(node("n1", 4), node("n2", 4), node("n3", 4));
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private static List<String> moves(List<Move> moves) {
        return moves.stream().map(move -> move.pod().name() + "→" + move.to()).toList();
    }

    @Test
    void eachNodeIsAskedAboutWithTheOthersAsTheyAre() {
        try (Consolidation consolidation = new Consolidation(cluster)) {
            Alone alone = consolidation.alone(List.of("n1", "n2", "n3"));

            assertThat(alone.go()).extracting(Step::node).containsExactly("n1", "n2", "n3");
            assertThat(alone.go())
                    .extracting(goes -> moves(goes.moves()))
                    .containsExactly(List.of("big→n2"), List.of("one→n3"), List.of("two→n2"));
        }
    }

    @Test
    void togetherTheyGoAsLongAsThereIsRoom() {
        try (Consolidation consolidation = new Consolidation(cluster)) {
            Together together = consolidation.together(List.of("n1", "n2", "n3"));

            assertThat(together.areMost()).isTrue();
            assertThat(together.go()).extracting(Step::node).containsExactly("n1");
        }
    }

    @Test
    void aNodeStaysForABudget() {
        cluster.put(new PodDisruptionBudget(
                ObjectMeta.named("default", "web"),
                LabelSelector.matchingLabels(Labels.of("app", "web")),
                Optional.empty(),
                Optional.of(IntOrPercent.of(0)),
                0,
                Set.of()));
        try (Consolidation consolidation = new Consolidation(cluster)) {
            assertThat(consolidation.alone(List.of("n2")).stay())
                    .singleElement()
                    .satisfies(stays -> assertThat(stays.why())
                            .isEqualTo(
                                    "pod default/one on n2 cannot be evicted: PodDisruptionBudget default/web lets none of"
                                            + " its 3 pods go (maxUnavailable 0: 3 must be there)"));
        }
    }

    @Test
    void theFirstOfferThatIsLargeEnoughStandsIn() {
        try (Consolidation consolidation = new Consolidation(cluster)) {
            Optional<Replacement> found = consolidation.replacement("n3", List.of(node("tiny", 0), node("small", 2)));

            assertThat(found).map(each -> each.offer().name()).hasValue("tiny"); // as n2 has room
            assertThat(moves(found.orElseThrow().step().moves())).containsExactly("two→n2");
        }
    }
}
