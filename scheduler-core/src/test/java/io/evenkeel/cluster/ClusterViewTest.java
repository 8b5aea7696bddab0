package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is reached from the view changes nothing of the cluster; what it answers of itself. */
class ClusterViewTest {
    /** Interned things are given back, which frees what nobody reads any more and changes nothing of the cluster. */
    private static final Set<String> GIVING_BACK =
            Set.of("Derivations.drop", "DomainCounters.release", "ResourceNames.release", "SelectorIndex.release");

    private final Set<Class<?>> reachable = ReachableTypes.from(ClusterView.class);

    @Test
    void aClusterOfNothingHasItsGatesAlone() {
        ClusterView empty = ClusterView.empty(FeatureGates.DEFAULTS);

        assertThat(empty.featureGates()).isSameAs(FeatureGates.DEFAULTS);
        assertThat(empty.nodes().count()).isZero();
        assertThat(empty.placedPods()).isEmpty();
    }

    @Test
    void theMoreNodesThereAreTheFewerColumnsAreKeptOfThem() {
        ClusterState cluster = new ClusterState();
        assertThat(cluster.view().columnsWorthKeeping()).isEqualTo(8192);
        assertThat(cluster.view().rankingsWorthKeeping()).isEqualTo(8192);
        assertThat(cluster.view().setsWorthKeeping()).isEqualTo(16384);

        for (int i = 0; i < 8192; i++) {
            cluster.put(NodeBuilder.node("n" + i).build());
        }
        assertThat(cluster.view().columnsWorthKeeping()).isEqualTo(64 * 1024 * 1024 / (4 * 8192));
        assertThat(cluster.view().rankingsWorthKeeping()).isEqualTo(192 * 1024 * 1024 / (5 * 8192));
        assertThat(cluster.view().setsWorthKeeping()).isEqualTo(16384);
    }

    @Test
    void theWalkReachesTheStructures() {
        assertThat(reachable).contains(NodeTable.class, NodeSetView.class, Pod.class);
    }

    @Test
    void noWriterIsReached() {
        assertThat(reachable)
                .doesNotContain(ClusterState.class, ClusterWriters.class, ClusterIndexes.class, WhatIf.class)
                .noneMatch(type -> type.getSimpleName().equals("Writer"));
    }

    /** A set that can be changed is a copy, made for whoever asked for it. */
    @Test
    void setsOfNodesAreReadOnly() {
        assertThat(reachable.stream()
                        .flatMap(ReachableTypes::publicMethods)
                        .filter(method ->
                                method.getGenericReturnType().getTypeName().matches(".*\\bNodeSet\\b.*"))
                        .filter(method -> method.getDeclaringClass() != NodeSet.class)
                        .map(ReachableTypes::nameOf))
                .containsOnly("NodeSetView.copy");
    }

    @Test
    void methodsWithoutAnAnswerTellTheirCallerOrGiveBack() {
        Set<Class<?>> others = new HashSet<>(reachable);
        others.remove(NodeSet.class);
        others.remove(Work.class); // says how much was done, and nothing of the cluster

        assertThat(ReachableTypes.namesOfDeeds(others)).isEqualTo(GIVING_BACK);
    }
}
