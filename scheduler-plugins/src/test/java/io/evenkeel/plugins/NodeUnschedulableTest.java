package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.Toleration.Operator;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeUnschedulableTest {
    private static final String TAINT = "node.kubernetes.io/unschedulable";

    private final PluginHarness cluster = cluster(
            node("cordoned").unschedulable(true).build(),
            node("open").build(),
            node("only-tainted").taint(TAINT, "", TaintEffect.NO_SCHEDULE).build());
    private final NodeUnschedulable plugin = new NodeUnschedulable(cluster.context());

    @Test
    void theFieldKeepsPodsAwayAndNotTheTaint() {
        assertThat(cluster.filterAll(plugin, pod("p").build()))
                .isEqualTo(Map.of(
                        "cordoned",
                        Status.unresolvable("node(s) were unschedulable"),
                        "open",
                        Status.SUCCESS,
                        "only-tainted",
                        Status.SUCCESS));
    }

    @Test
    void aPodThatToleratesTheTaintFits() {
        assertThat(cluster.passing(plugin, tolerating(TAINT, Operator.EXISTS, "", Optional.empty())))
                .contains("cordoned");
        assertThat(cluster.passing(plugin, tolerating("", Operator.EXISTS, "", Optional.empty())))
                .contains("cordoned");
        assertThat(cluster.passing(plugin, tolerating(TAINT, Operator.EQUAL, "", Optional.of(TaintEffect.NO_SCHEDULE))))
                .contains("cordoned");
    }

    @Test
    void aTolerationForAnotherEffectOrValueDoesNotHelp() {
        assertThat(cluster.passing(plugin, tolerating(TAINT, Operator.EXISTS, "", Optional.of(TaintEffect.NO_EXECUTE))))
                .doesNotContain("cordoned");
        assertThat(cluster.passing(plugin, tolerating(TAINT, Operator.EQUAL, "yes", Optional.empty())))
                .doesNotContain("cordoned");
    }

    @Test
    void bothFormsAgree() {
        RandomCluster any = RandomCluster.withTheSeed((random, node) -> node.unschedulable(random.nextInt(3) == 0));
        NodeUnschedulable random = new NodeUnschedulable(any.harness().context());
        List<Pod> pods = List.of(pod("p").build(), tolerating(TAINT, Operator.EXISTS, "", Optional.empty()));

        any.rounds(
                300,
                () -> pods.forEach(pod -> assertThat(any.harness().filterAll(random, pod))
                        .isEqualTo(any.harness().filterEach(random, pod))));
    }

    private static Pod tolerating(String key, Operator operator, String value, Optional<TaintEffect> effect) {
        return pod("p").toleration(new Toleration(key, operator, value, effect)).build();
    }

    @Test
    void aNodeThatIsOpenedHelpsAndSoDoesATolerationOfIt() {
        Pod waiting = pod("p").build();
        Pod tolerating = tolerating(TAINT, Operator.EXISTS, "", Optional.empty());

        assertThat(helps(waiting, Optional.of(true), false)).isTrue();
        assertThat(helps(waiting, Optional.empty(), false)).isTrue();
        assertThat(helps(waiting, Optional.empty(), true)).isFalse();
        assertThat(helps(waiting, Optional.of(false), true)).isFalse();
        assertThat(helps(tolerating, Optional.empty(), true)).isTrue();
        assertThat(helps(tolerating, Optional.of(true), false))
                .as("it was open to it before")
                .isFalse();

        assertThat(cluster.wakes(plugin, tolerating, ClusterChanges.ofWaitingPod(waiting, tolerating)))
                .isTrue();
        Pod other = tolerating("other", Operator.EXISTS, "", Optional.empty());
        assertThat(cluster.wakes(plugin, other, ClusterChanges.ofWaitingPod(waiting, other)))
                .isFalse();
    }

    /** A node comes, or its cordon changes. */
    private boolean helps(Pod waiting, Optional<Boolean> wasCordoned, boolean isCordoned) {
        return cluster.wakes(
                plugin,
                waiting,
                ClusterChanges.between(
                        wasCordoned.map(
                                cordoned -> node("n").unschedulable(cordoned).build()),
                        Optional.of(node("n").unschedulable(isCordoned).build())));
    }
}
