package io.evenkeel.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Zones a and b have a pod each, a third is asked for: nothing fits until a zone is empty. What wakes the pod, and what not. */
class SpreadWakeUpsTest {
    private static final Node IN_A = node("n1").zone("a").build();
    private static final Node IN_B = node("n2").zone("b").build();
    private static final Pod WEB_A = web("w1", "n1").build();
    private static final Pod WEB_B = web("w2", "n2").build();

    private final PluginHarness cluster = PluginHarness.cluster(IN_A, IN_B, WEB_A, WEB_B);
    private final PodTopologySpread plugin = new PodTopologySpread(cluster.context(PodTopologySpreadArgs.defaults()));
    private final Pod waiting = waiting(WhenUnsatisfiable.DO_NOT_SCHEDULE);

    @Test
    void aPodThatLeavesAZoneEmptyHelps() {
        assertThat(helps(gone(WEB_A))).isTrue();
    }

    @Test
    void aPodThatLeavesOthersInItsZoneDoesNot() {
        put(web("w3", "n1").build());

        assertThat(helps(gone(WEB_A))).isFalse();
    }

    @Test
    void aPodThatTheConstraintDoesNotCountDoesNot() {
        Pod other = PodBuilder.pod("o").label("app", "other").nodeName("n1").build();
        Pod finished = web("f", "n1").phase("Succeeded").build();
        Pod elsewhere = PodBuilder.pod("elsewhere", "e")
                .label("app", "web")
                .nodeName("n1")
                .build();
        for (Pod pod : List.of(other, finished, elsewhere)) {
            put(pod);
            assertThat(helps(gone(pod))).as(pod.key()).isFalse();
        }
    }

    @Test
    void aPodThatBeginsToTerminateHelps() {
        assertThat(helps(change(WEB_A, web("w1", "n1").terminating(true).build())))
                .isTrue();
    }

    @Test
    void aPodThatLosesTheLabelHelpsAndOneThatGainsItDoesNot() {
        Pod other = PodBuilder.pod("o").nodeName("n1").build();
        put(other);
        assertThat(helps(change(other, web("o", "n1").build()))).isFalse();
        assertThat(helps(change(WEB_B, PodBuilder.pod("w2").nodeName("n2").build())))
                .isTrue();
    }

    @Test
    void anotherPodInPlaceDoesNotHelp() {
        assertThat(helps(put(web("w3", "n1").build()))).isFalse();
    }

    @Test
    void anEmptyZoneHelps() {
        assertThat(helps(put(node("n3").zone("c").build()))).isTrue();
        assertThat(helps(put(node("n4").zone("a").build())))
                .as("one that is there, while c is empty")
                .isTrue();
    }

    @Test
    void aNodeThatMovesToAnEmptyZoneHelps() {
        Node spare = node("n3").zone("a").build();
        put(spare);

        assertThat(helps(change(spare, node("n3").zone("c").build()))).isTrue();
    }

    /** Zone a has none of its peers, but its rack has too many others; each peer more in a lets one more into b. */
    @Test
    void onePodMoreRaisesTheMinimumAndSoHelpsElsewhere() {
        put(node("n1").zone("a").label("rack", "r1").build());
        put(node("n2").zone("b").label("rack", "r2").build());
        put(PodBuilder.pod("w1").label("app", "other").nodeName("n1").build());
        put(PodBuilder.pod("o").label("app", "other").nodeName("n1").build());
        Pod torn = PodBuilder.from(
                        waiting(constraint("topology.kubernetes.io/zone", "web", 1, WhenUnsatisfiable.DO_NOT_SCHEDULE)))
                .spread(constraint("rack", "other", 5, WhenUnsatisfiable.DO_NOT_SCHEDULE))
                .build();
        Pod other = PodBuilder.pod("late").nodeName("n1").build();
        put(other);

        assertThat(mayHelp(torn, change(other, web("late", "n1").build()))).isTrue();
        cluster.remove(web("late", "n1").build());
        assertThat(mayHelp(torn, put(web("w3", "n1").build()))).isTrue();
    }

    @Test
    void aNodeOfAFullZoneDoesNotHelp() {
        assertThat(helps(put(node("n3").zone("a").build()))).isFalse();
    }

    @Test
    void aNodeThatLeavesAFullZoneDoesNotHelp() {
        put(node("n3").zone("b").build());

        assertThat(helps(change(
                        node("n3").zone("b").build(), node("n3").zone("a").build())))
                .isFalse();
        assertThat(helps(change(node("n3").zone("a").build(), node("n3").build())))
                .isFalse();
        assertThat(helps(gone(node("n3").zone("b").build()))).isFalse();
    }

    /** As long as the constraint honours no taints. */
    @Test
    void aNodesTaintsChangeNothing() {
        put(node("n3").zone("c").build());

        assertThat(helps(change(
                        IN_A,
                        node("n1")
                                .zone("a")
                                .taint("dedicated", "x", TaintEffect.NO_SCHEDULE)
                                .build())))
                .isFalse();
    }

    @Test
    void aNodeThatIsInNoZoneChangesNothing() {
        assertThat(helps(put(node("n3").build()))).isFalse();
    }

    @Test
    void aNodesOtherLabelsChangeNothingEvenWhereThePodWouldFit() {
        put(node("n3").zone("c").build());

        assertThat(helps(change(IN_A, node("n1").zone("a").label("disk", "ssd").build())))
                .isFalse();
    }

    @Test
    void itsOwnLabelsHelpWhereItFitsThen() {
        Pod relabelled = PodBuilder.from(waiting).label("tier", "x").build();
        assertThat(mayHelp(relabelled, ClusterChanges.ofWaitingPod(waiting, relabelled)))
                .isFalse();

        put(node("n3").zone("c").build());
        assertThat(mayHelp(relabelled, ClusterChanges.ofWaitingPod(waiting, relabelled)))
                .isTrue();
    }

    @Test
    void aServiceDoesNotConcernAPodWithConstraintsOfItsOwn() {
        put(node("n3").zone("c").build());

        assertThat(helps(put(service("default")))).isFalse();
    }

    /** The default constraints are soft, so that nothing stands in its way. */
    @Test
    void aServiceOfItsNamespaceMayConcernAPodWithoutConstraints() {
        Pod plain = PodBuilder.pod("plain").label("app", "web").build();
        Optional<ClusterChange> here = put(service("default"));
        Optional<ClusterChange> elsewhere = put(service("elsewhere"));

        assertThat(mayHelp(plain, here)).isTrue();
        assertThat(mayHelp(plain, elsewhere)).isFalse();
    }

    /** Whom it selects decides which constraints are the default, not how many it is to have. */
    @Test
    void anOwnerThatIsScaledConcernsNoPod() {
        Pod plain = PodBuilder.pod("plain").label("app", "web").build();

        assertThat(mayHelp(plain, put(replicaSet("web", 3)))).isTrue();
        assertThat(mayHelp(plain, change(replicaSet("web", 3), replicaSet("web", 2))))
                .isFalse();
        assertThat(mayHelp(plain, change(replicaSet("web", 2), replicaSet("other", 2))))
                .isTrue();
    }

    /** Not the filter of this plugin keeps it out. */
    @Test
    void aPodWithSoftConstraintsIsWokenByAnyNode() {
        assertThat(mayHelp(
                        waiting(WhenUnsatisfiable.SCHEDULE_ANYWAY),
                        put(node("n3").build())))
                .isTrue();
    }

    private boolean helps(Optional<ClusterChange> change) {
        return mayHelp(waiting, change);
    }

    private boolean mayHelp(Pod pod, Optional<ClusterChange> change) {
        return cluster.wakes(plugin, pod, change);
    }

    private Optional<ClusterChange> put(KubernetesObject object) {
        cluster.put(object);
        return ClusterChanges.between(Optional.empty(), Optional.of(object));
    }

    private Optional<ClusterChange> change(KubernetesObject before, KubernetesObject after) {
        cluster.put(after);
        return ClusterChanges.between(Optional.of(before), Optional.of(after));
    }

    private Optional<ClusterChange> gone(KubernetesObject object) {
        cluster.remove(object);
        return ClusterChanges.between(Optional.of(object), Optional.empty());
    }

    private static NodeBuilder node(String name) {
        return NodeBuilder.node(name).hostname(name);
    }

    private static PodBuilder web(String name, String node) {
        return PodBuilder.pod(name).label("app", "web").nodeName(node);
    }

    private static Service service(String namespace) {
        return new Service(PodBuilder.pod(namespace, "web").build().meta(), Labels.of("app", "web"));
    }

    private static WorkloadOwner replicaSet(String app, int replicas) {
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET,
                PodBuilder.pod("web").build().meta(),
                LabelSelector.matchingLabels(Labels.of("app", app)),
                replicas);
    }

    private static Pod waiting(WhenUnsatisfiable when) {
        return waiting(constraint("topology.kubernetes.io/zone", "web", 3, when));
    }

    private static Pod waiting(TopologySpreadConstraint constraint) {
        return PodBuilder.pod("waiting").label("app", "web").spread(constraint).build();
    }

    private static TopologySpreadConstraint constraint(
            String topologyKey, String app, int minDomains, WhenUnsatisfiable when) {
        return new TopologySpreadConstraint(
                1,
                topologyKey,
                when,
                LabelSelector.matchingLabels(Labels.of("app", app)),
                minDomains,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }
}
