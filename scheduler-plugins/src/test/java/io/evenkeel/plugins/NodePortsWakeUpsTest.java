package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.ClusterChanges;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Node n1 has a pod with port 80, and a pod waits that wants it. */
class NodePortsWakeUpsTest {
    private static final Pod TAKER = pod("taker", 80).nodeName("n1").build();

    private final PluginHarness cluster =
            PluginHarness.cluster(NodeBuilder.node("n1").build(), TAKER);
    private final NodePorts plugin = new NodePorts(cluster.context());
    private final Pod waiting = pod("waiting", 80).build();

    @Test
    void aPodThatLeavesThePortHelps() {
        assertThat(helpsThatItGoes(TAKER)).isTrue();
    }

    @Test
    void aPodWithAnotherPortDoesNot() {
        Pod other = pod("other", 81).nodeName("n1").build();
        cluster.put(other);

        assertThat(helpsThatItGoes(other)).isFalse();
    }

    @Test
    void aPodWhosePortAnotherHasTooDoesNot() {
        cluster.put(pod("second", 80).nodeName("n1").build());

        assertThat(helpsThatItGoes(TAKER)).isFalse();
    }

    @Test
    void aPodOfANodeThatIsGoneDoesNot() {
        cluster.remove(NodeBuilder.node("n1").build());

        assertThat(helpsThatItGoes(TAKER)).isFalse();
    }

    @Test
    void aPortThatIsFreeBesideTheOthersIsNotEnough() {
        Pod both = pod("both", 80).hostPort(81).build();
        cluster.put(pod("second", 81).nodeName("n1").build());
        cluster.remove(TAKER);

        assertThat(cluster.wakes(plugin, both, gone(TAKER))).isFalse();
    }

    @Test
    void aNewNodeHelpsWhereThePortIsNotTakenAlready() {
        cluster.put(pod("early", 80).nodeName("n2").build());

        assertThat(helpsThatItComes(NodeBuilder.node("n2").build())).isFalse();
        assertThat(helpsThatItComes(NodeBuilder.node("n3").build())).isTrue();
    }

    private boolean helpsThatItGoes(Pod pod) {
        cluster.remove(pod);
        return cluster.wakes(plugin, waiting, gone(pod));
    }

    private boolean helpsThatItComes(KubernetesObject object) {
        cluster.put(object);
        return cluster.wakes(plugin, waiting, ClusterChanges.between(Optional.empty(), Optional.of(object)));
    }

    private static Optional<ClusterChange> gone(KubernetesObject object) {
        return ClusterChanges.between(Optional.of(object), Optional.empty());
    }

    private static PodBuilder pod(String name, int port) {
        return PodBuilder.pod(name).hostPort(port);
    }
}
