package io.evenkeel.plugins.interpodaffinity;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.interpodaffinity.Terms.ZONE;
import static io.evenkeel.plugins.interpodaffinity.Terms.apart;
import static io.evenkeel.plugins.interpodaffinity.Terms.app;
import static io.evenkeel.plugins.interpodaffinity.Terms.near;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.PluginHarness;
import io.evenkeel.queue.ClusterChanges;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The only node is in zone a and has a web pod, which shuns guests. What wakes pods that it keeps out, and what not. */
class AffinityWakeUpsTest {
    private static final KubernetesObject IN_A = node("n1").label(ZONE, "a").build();
    private static final Pod WEB =
            web("w1").podAffinity(apart(app("guest", ZONE))).build();

    private final PluginHarness cluster = PluginHarness.cluster(IN_A, WEB);
    private final InterPodAffinity plugin = new InterPodAffinity(cluster.context());
    private final Pod shunning = pod("p").podAffinity(apart(app("web", ZONE))).build();
    private final Pod following = pod("p").podAffinity(near(app("db", ZONE))).build();
    private final Pod guest = pod("p").label("app", "guest").build();

    @Test
    void aNodeHelpsOutsideOfTheZoneOfAShunnedPodAlone() {
        assertThat(wakes(shunning, added(node("n2").label(ZONE, "a").build()))).isFalse();
        assertThat(wakes(shunning, added(node("n2").label(ZONE, "b").build()))).isTrue();
    }

    @Test
    void aNodeThatMovesWithTheShunnedPodDoesNotHelp() {
        assertThat(wakes(shunning, changed(IN_A, node("n1").label(ZONE, "c").build())))
                .isFalse();
        assertThat(wakes(shunning, changed(IN_A, node("n1").build()))).isTrue();
    }

    @Test
    void aPodThatLeavesAnotherShunnedOneDoesNotHelp() {
        Pod second = web("w2").build();
        cluster.put(second);

        assertThat(wakes(shunning, gone(second))).isFalse();
        assertThat(wakes(shunning, gone(WEB))).isTrue();
    }

    @Test
    void aNodeHelpsInTheZoneOfACompanionAlone() {
        assertThat(wakes(following, added(node("n2").label(ZONE, "b").build()))).isFalse();
        cluster.put(db("n2"));
        assertThat(wakes(following, added(node("n3").label(ZONE, "a").build()))).isFalse();
        assertThat(wakes(following, added(node("n3").label(ZONE, "b").build()))).isTrue();
    }

    @Test
    void aCompanionHelpsOnANodeOfSomeZoneAlone() {
        cluster.put(node("n2").build());

        assertThat(wakes(following, added(db("n2")))).isFalse();
        assertThat(wakes(following, added(db("n1")))).isTrue();
    }

    @Test
    void itsOwnLabelsHelpWhereItFitsThen() {
        assertThat(wakesWith(PodBuilder.from(guest).label("tier", "x").build())).isFalse();
        assertThat(wakesWith(PodBuilder.from(guest).label("app", "host").build()))
                .isTrue();
    }

    private boolean wakesWith(Pod relabelled) {
        return cluster.wakes(plugin, relabelled, ClusterChanges.ofWaitingPod(guest, relabelled));
    }

    private boolean wakes(Pod waiting, Optional<ClusterChange> change) {
        return cluster.wakes(plugin, waiting, change);
    }

    private Optional<ClusterChange> added(KubernetesObject object) {
        cluster.put(object);
        return ClusterChanges.between(Optional.empty(), Optional.of(object));
    }

    private Optional<ClusterChange> changed(KubernetesObject before, KubernetesObject after) {
        cluster.put(after);
        return ClusterChanges.between(Optional.of(before), Optional.of(after));
    }

    private Optional<ClusterChange> gone(KubernetesObject object) {
        cluster.remove(object);
        return ClusterChanges.between(Optional.of(object), Optional.empty());
    }

    private static PodBuilder web(String name) {
        return pod(name).label("app", "web").nodeName("n1");
    }

    private static Pod db(String node) {
        return pod("db-" + node).label("app", "db").nodeName(node).build();
    }
}
