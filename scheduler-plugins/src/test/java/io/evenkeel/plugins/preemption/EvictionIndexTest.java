package io.evenkeel.plugins.preemption;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One pod of an app on n1, three on n2, two on n3, and somebody else's on n4. */
class EvictionIndexTest {
    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterView cluster = harness.state().view();
    private final EvictionIndex index = cluster.index(EvictionIndex.class, EvictionIndex::new);
    private long readTo;

    @BeforeEach
    void crowd() {
        int[] pods = {1, 3, 2};
        for (int i = 0; i < pods.length; i++) {
            String name = "n" + (i + 1);
            harness.put(node(name).build());
            for (int j = 0; j < pods[i]; j++) {
                harness.put(pod(name + "-" + j).label("app", "a").nodeName(name).build());
            }
        }
        harness.put(node("n4").build());
        harness.put(pod("other").label("app", "b").nodeName("n4").build());
        logged();
    }

    @Test
    void aBudgetConcernsTheNodesWhereItAllowsMoreOrLessThanItHasPods() {
        harness.put(budget(3));
        assertThat(logged()).as("new").containsExactly("n1", "n2", "n3");
        harness.put(budget(2));
        assertThat(logged()).as("3 to 2").containsExactly("n2");
        harness.put(budget(1));
        assertThat(logged()).as("2 to 1").containsExactly("n2", "n3");
        harness.put(budget(1));
        assertThat(logged()).as("the same again").isEmpty();
        harness.put(budget(9));
        assertThat(logged()).as("1 to 9").containsExactly("n2", "n3");
        harness.put(budget(8));
        assertThat(logged()).as("9 to 8").isEmpty();
        harness.remove(budget(8));
        assertThat(logged()).as("gone").containsExactly("n1", "n2", "n3");
    }

    @Test
    void aPodThatStartsConcernsItsNodeAndAnyOtherWordOfItsStatusDoesNot() {
        Pod running = PodBuilder.from(
                        pod("other").label("app", "b").nodeName("n4").build())
                .phase("Running")
                .build();
        harness.put(running);
        assertThat(logged()).isEmpty();

        harness.put(PodBuilder.from(running)
                .status(PodStatus.PENDING.withPhase("Running").withStartTime("2026-01-01T00:00:00Z"))
                .build());
        assertThat(logged()).containsExactly("n4");
    }

    private static PodDisruptionBudget budget(int disruptionsAllowed) {
        return new PodDisruptionBudget(
                ObjectMeta.named("default", "a"),
                LabelSelector.matchingLabels(Labels.of("app", "a")),
                disruptionsAllowed,
                Set.of());
    }

    /** The names of the nodes that were logged since the last time. */
    private Set<String> logged() {
        Set<String> names = new TreeSet<>();
        index.changes().forEachSince(readTo, node -> names.add(cluster.nodes().name(node)));
        readTo = index.changes().position();
        return names;
    }
}
