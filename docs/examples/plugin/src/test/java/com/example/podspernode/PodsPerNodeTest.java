package com.example.podspernode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The plugin on a cluster in memory, without a scheduler. */
class PodsPerNodeTest {
    private final ClusterState cluster = new ClusterState();
    private final PodsPerNode plugin = new PodsPerNode("app");

    @Test
    void aNodeTakesSoManyPodsOfAnAppAndNoMore() {
        node("n1");
        assertThat(fits(web("first").build())).isTrue();

        place(web("first"));
        assertThat(fits(web("second").build())).isTrue();

        place(web("second"));
        assertThat(fits(web("third").build())).isFalse();
    }

    @Test
    void podsOfOthersDoNotCount() {
        node("n1");
        place(PodBuilder.pod("default", "db").label("app", "db"));
        place(PodBuilder.pod("other", "web").label("app", "web"));
        place(web("first"));

        assertThat(fits(web("second").build())).isTrue();
    }

    @Test
    void podsWithoutALimitAreLetAlone() {
        assertThat(plugin.preFilter(
                        new CycleState(),
                        admitted(PodBuilder.pod("free").label("app", "web").build())))
                .isEqualTo(PreFilterResult.SKIP);
    }

    @Test
    void aLimitThatMakesNoSenseIsSaid() {
        Pod pod = web("third").label(PodsPerNode.MOST, "few").build();

        assertThat(plugin.preFilter(new CycleState(), admitted(pod)))
                .isInstanceOfSatisfying(
                        PreFilterResult.Rejected.class,
                        rejected -> assertThat(rejected.status().message())
                                .isEqualTo(
                                        "label example.com/max-per-node is \"few\", expected a number from 1 to 9999"));
    }

    @Test
    void aPodThatGoesWakesThoseOfItsApp() {
        Pod waiting = web("third").build();

        assertThat(wakes(waiting, web("first").nodeName("n1").build())).isTrue();
        assertThat(wakes(
                        waiting,
                        PodBuilder.pod("db").label("app", "db").nodeName("n1").build()))
                .isFalse();
    }

    @Test
    void argumentsNameTheLabelOfAnApp() {
        assertThat(made(Map.of("appLabel", "team")).name()).isEqualTo("PodsPerNode");
        assertThatThrownBy(() -> made(Map.of("appLabel", 5L)))
                .hasMessage("args.appLabel: expected the key of a label, got 5");
        assertThatThrownBy(() -> made(Map.of("label", "app")))
                .hasMessage("args.label: unknown field; there is appLabel");
    }

    private PodsPerNode made(Map<String, Object> args) {
        return new PodsPerNodeFactory().create(new TreeContext(cluster.view(), Optional.of(new OpaqueArgs(args))));
    }

    private boolean wakes(Pod waiting, Pod gone) {
        ClusterChange change = ClusterChange.removed(ChangeKind.ASSIGNED_POD_DELETED, gone);
        return plugin.wakeUps().stream()
                .filter(wakeUp -> change.isAnyOf(wakeUp.kinds()))
                .anyMatch(wakeUp -> wakeUp.hint().mayHelp(admitted(waiting), change));
    }

    private boolean fits(Pod pod) {
        CycleState state = new CycleState();
        PodInfo admitted = admitted(pod);
        assertThat(plugin.preFilter(state, admitted)).isEqualTo(PreFilterResult.PROCEED);
        return plugin.filter(
                        state,
                        admitted,
                        cluster.view().nodeInfo(cluster.view().nodes().find("n1")))
                .isSuccess();
    }

    private PodInfo admitted(Pod pod) {
        return cluster.admit(pod);
    }

    private void node(String name) {
        cluster.putNode(NodeBuilder.node(name).allocatable("pods", "110").build());
    }

    private void place(PodBuilder pod) {
        cluster.putPod(pod.nodeName("n1").build());
    }

    private static PodBuilder web(String name) {
        return PodBuilder.pod("default", name).label("app", "web").label(PodsPerNode.MOST, "2");
    }
}
