package io.evenkeel.plugins;

import static io.evenkeel.model.build.ContainerBuilder.container;
import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeDeclaredFeaturesTest {
    private static final String RESTART = "RestartAllContainersOnContainerExits";
    private static final String USER_NAMESPACES = "UserNamespacesHostNetworkSupport";
    private static final Container RESTARTING =
            container("c").restartsAllContainers(true).build();
    private static final Status NOT_DECLARED = Status.unresolvable("node(s) didn't match Pod's required features");

    private final PluginHarness cluster = cluster(
            node("both")
                    .declaredFeatures(List.of(RESTART, USER_NAMESPACES, "GuaranteedQoSPodCPUResize"))
                    .build(),
            node("restart").declaredFeatures(List.of(RESTART)).build(),
            node("old").build());
    private final NodeDeclaredFeatures plugin = new NodeDeclaredFeatures(cluster.context());

    @Test
    void aPodThatNeedsNoFeatureIsSkipped() {
        assertThat(cluster.preFilter(plugin, pod("p").container("cpu", "1").build()))
                .isEqualTo(PreFilterResult.SKIP);
        assertThat(cluster.preFilter(plugin, pod("p").hostNetwork(true).build()))
                .isEqualTo(PreFilterResult.SKIP);
        assertThat(cluster.preFilter(plugin, pod("p").hostUsers(false).build())).isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void aRestartRuleForAllContainersNeedsTheFeature() {
        Pod pod = pod("p").container(RESTARTING).build();

        assertThat(cluster.preFilter(plugin, pod)).isEqualTo(PreFilterResult.PROCEED);
        assertThat(cluster.filterAll(plugin, pod))
                .isEqualTo(Map.of("both", Status.SUCCESS, "restart", Status.SUCCESS, "old", NOT_DECLARED));
        assertThat(cluster.passing(plugin, pod("p").initContainer(RESTARTING).build()))
                .containsExactly("both", "restart");
    }

    @Test
    void aUserNamespaceOnTheHostsNetworkNeedsTheFeature() {
        assertThat(cluster.passing(
                        plugin, pod("p").hostNetwork(true).hostUsers(false).build()))
                .containsExactly("both");
    }

    @Test
    void aNodeWithoutAnyOfTheNeededFeaturesIsTurnedDownOnce() {
        Pod pod = pod("p").container(RESTARTING)
                .hostNetwork(true)
                .hostUsers(false)
                .build();

        assertThat(cluster.filterAll(plugin, pod))
                .isEqualTo(Map.of("both", Status.SUCCESS, "restart", NOT_DECLARED, "old", NOT_DECLARED));
    }

    @Test
    void bothFormsAgree() {
        List<String> features = List.of(RESTART, USER_NAMESPACES, "Another");
        RandomCluster any = RandomCluster.withTheSeed((random, node) -> node.declaredFeatures(
                features.stream().filter(feature -> random.nextBoolean()).toList()));
        NodeDeclaredFeatures random = new NodeDeclaredFeatures(any.harness().context());

        any.rounds(500, () -> {
            Pod pod = pod("p").hostNetwork(any.random().nextBoolean())
                    .hostUsers(any.random().nextBoolean())
                    .container(container("c")
                            .restartsAllContainers(any.random().nextBoolean())
                            .build())
                    .build();

            assertThat(any.harness().filterAll(random, pod))
                    .isEqualTo(any.harness().filterEach(random, pod));
        });
    }
}
