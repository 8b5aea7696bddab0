package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.shape.FacetCache;
import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.cluster.shape.FacetTable;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A facet that a plugin brings. That it stays right in all that may happen is the oracle test's to show. */
class OwnFacetTest {
    private static final FacetKind<String> TEAM =
            new FacetKind<>("team", (pod, _) -> pod.labels().getOrDefault("team", "nobody's"));

    private final ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
    private final ClusterState cluster = new ClusterState(writers);
    private final FacetTable<String> teams = cluster.view().shapes().register(TEAM);
    private final List<String> compiled = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();
    private final FacetCache<String, String> budgets = new FacetCache<>(
            teams,
            100,
            team -> {
                compiled.add(team.value());
                return "budget of " + team.value();
            },
            discarded::add);

    private static Pod pod(String name, String team) {
        return app(name, "web").label("team", team).build();
    }

    private PodInfo admit(Pod pod) {
        return cluster.admit(pod);
    }

    @Test
    void itIsReadOfEachPodAndWorkedOutOnce() {
        PodInfo first = admit(pod("a", "blue"));
        PodInfo second = admit(pod("b", "blue"));

        assertThat(budgets.get(first.shape().facet(teams))).isEqualTo("budget of blue");
        assertThat(budgets.get(second.shape().facet(teams))).isEqualTo("budget of blue");
        assertThat(compiled).containsExactly("blue");
        assertThat(second.interned()).isSameAs(first.interned());
    }

    @Test
    void podsThatDifferInItAloneAreOfDifferentShapes() {
        PodInfo blue = admit(pod("a", "blue"));
        PodInfo red = admit(pod("b", "red"));

        assertThat(red.interned()).isNotSameAs(blue.interned());
        assertThat(red.shape().tolerations()).isSameAs(blue.shape().tolerations());
        assertThat(red.shape().facet(teams).value()).isEqualTo("red");
    }

    @Test
    void whatIsWorkedOutGoesWithItsLastUser() {
        PodInfo blue = admit(pod("a", "blue"));
        budgets.get(blue.shape().facet(teams));
        cluster.dismiss(blue);
        writers.shapes.dropIdle();

        assertThat(discarded).containsExactly("budget of blue");
    }

    @Test
    void theAuditRecountsIt() {
        cluster.put(NodeBuilder.node("n1").build());
        cluster.put(app("a", "web").label("team", "blue").nodeName("n1").build());

        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        writers.shapes.release(cluster.view().pods().shape(0));
        assertThat(ClusterAudit.differences(cluster.view())).containsExactly("shape #0 counts 0 users, has 1");
    }

    @Test
    void thePluginsOfAllProfilesShareIt() {
        assertThat(cluster.view().shapes().register(TEAM)).isSameAs(teams);
    }

    @Test
    void itComesBeforeTheFirstPod() {
        admit(pod("a", "blue"));

        assertThatThrownBy(() -> cluster.view().shapes().register(new FacetKind<>("late", (pod, _) -> pod.name())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("pods have been read already without the facet \"late\"");
    }
}
