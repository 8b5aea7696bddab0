package io.evenkeel.plugins;

import static io.evenkeel.plugins.Terms.in;
import static io.evenkeel.plugins.Terms.requiring;
import static io.evenkeel.plugins.Terms.term;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.ClusterChanges;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod waits for a node with an SSD; what is told of nodes and of itself may help it, or not. */
class NodeAffinityWakeUpsTest {
    private static final Node SSD = node("ssd");
    private static final Node HDD = node("hdd");

    private final PluginHarness cluster = PluginHarness.cluster();
    private NodeAffinity plugin = new NodeAffinity(cluster.context());
    private final Pod waiting = PodBuilder.pod("p").nodeSelector("disk", "ssd").build();

    @Test
    void aNodeHelpsThatComesToMatch() {
        assertThat(helps(Optional.empty(), SSD)).isTrue();
        assertThat(helps(Optional.of(HDD), SSD)).isTrue();
    }

    @Test
    void aNodeThatMatchesNotOrDidBeforeDoesNot() {
        assertThat(helps(Optional.empty(), HDD)).isFalse();
        assertThat(helps(Optional.of(SSD), HDD)).isFalse();
        assertThat(helps(Optional.of(SSD), NodeBuilder.from(SSD).label("a", "b").build()))
                .isFalse();
    }

    @Test
    void whatTheProfileAsksForCountsToo() {
        plugin = new NodeAffinity(cluster.context(new NodeAffinityArgs(Optional.of(requiring(term(in("zone", "a")))))));

        assertThat(helps(Optional.empty(), SSD)).isFalse();
        assertThat(helps(
                        Optional.of(SSD),
                        NodeBuilder.from(SSD).label("zone", "a").build()))
                .isTrue();
    }

    @Test
    void thePodHelpsItselfWhereItAsksForOthers() {
        Pod before = PodBuilder.pod("p").nodeSelector("disk", "nvme").build();
        assertThat(cluster.wakes(plugin, waiting, ClusterChanges.ofWaitingPod(before, waiting)))
                .isTrue();

        Pod sameNodes = PodBuilder.from(waiting).priority(7).build();
        assertThat(cluster.wakes(plugin, sameNodes, ClusterChanges.ofWaitingPod(waiting, sameNodes)))
                .isFalse();
    }

    private boolean helps(Optional<Node> before, Node after) {
        return cluster.wakes(plugin, waiting, ClusterChanges.between(before.map(node -> node), Optional.of(after)));
    }

    private static Node node(String disk) {
        return NodeBuilder.node("n1").label("disk", disk).build();
    }
}
