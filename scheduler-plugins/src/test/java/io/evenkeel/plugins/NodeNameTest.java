package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeNameTest {
    private final PluginHarness cluster = cluster(node("a").build(), node("b").build());
    private final NodeName plugin = new NodeName(cluster.context());

    @Test
    void aPodThatNamesNoNodeFitsAnywhere() {
        assertThat(cluster.passing(plugin, pod("p").build())).containsExactly("a", "b");
    }

    @Test
    void aPodFitsTheNodeThatItNames() {
        assertThat(cluster.filterAll(plugin, pod("p").nodeName("b").build()))
                .isEqualTo(Map.of(
                        "a", Status.unresolvable("node(s) didn't match the requested node name"), "b", Status.SUCCESS));
    }

    @Test
    void bothFormsAgree() {
        for (String name : List.of("", "a", "b", "elsewhere")) {
            Pod pod = pod("p").nodeName(name).build();
            assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
        }
    }

    @Test
    void onlyTheNodeThatItNamesHelpsAPod() {
        Pod named = pod("p").nodeName("c").build();

        assertThat(helps(named, "c")).isTrue();
        assertThat(helps(named, "d")).isFalse();
        assertThat(helps(pod("p").build(), "d")).isTrue();
    }

    private boolean helps(Pod waiting, String newNode) {
        return cluster.wakes(
                plugin,
                waiting,
                ClusterChanges.between(
                        Optional.empty(), Optional.of(node(newNode).build())));
    }
}
