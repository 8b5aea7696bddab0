package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many small workloads, each with a constraint by host name: they cost what their pods are, not a number for each host. */
class ManyHostConstraintsTest {
    private static final int NODES = 5_000;
    private static final int WORKLOADS = 10_000;
    /** A tally and the sums of it, of eight slots each; a few are short arrays. */
    private static final long ROOM = 2 * 9;

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final ClusterWriters writers = new ClusterWriters(FeatureGates.DEFAULTS, ClusterLimits.USUAL);
    private final ClusterState cluster = new ClusterState(writers);

    private void putNodes() {
        for (int number = 0; number < NODES; number++) {
            cluster.putNode(
                    NodeBuilder.node("n" + number).hostname("n" + number).build());
        }
    }

    private static LabelSelector peersOf(int workload) {
        return LabelSelector.matchingLabels(Labels.of("app", "a" + workload));
    }

    private static PodBuilder pod(int workload, int number) {
        return PodBuilder.pod("p" + workload + "-" + number)
                .label("app", "a" + workload)
                .nodeName("n" + (workload * 7 + number * 31) % NODES);
    }

    private void assertNothingIsLeft() {
        for (Pod pod : cluster.view().placedPods()) {
            cluster.removePod(pod.key());
        }
        for (int number = 0; number < NODES; number++) {
            cluster.removeNode("n" + number);
        }
        writers.shapes.dropIdle();
        assertThat(TableSizes.of(cluster).inUse()).isEmpty();
    }

    @Test
    void aCarriedTermKeepsANumberForEachOfItsPods() {
        putNodes();
        for (int workload = 0; workload < WORKLOADS; workload++) {
            PodAffinityTerm apart = new PodAffinityTerm(peersOf(workload), HOSTNAME, List.of(), LabelSelector.NOTHING);
            for (int number = 0; number < 2; number++) {
                cluster.putPod(pod(workload, number)
                        .podAffinity(new PodAffinity(List.of(), List.of(), List.of(apart), List.of()))
                        .build());
            }
        }

        assertThat(CountingRoom.count(cluster.view().counters())).isEqualTo(WORKLOADS);
        assertThat(CountingRoom.room(cluster.view().counters())).isLessThanOrEqualTo(ROOM * WORKLOADS);
        assertNothingIsLeft();
    }

    @Test
    void aSpreadConstraintKeepsANumberForEachOfItsPods() {
        putNodes();
        List<DomainCounter> counters = new ArrayList<>();
        List<SelectorGroup> groups = new ArrayList<>();
        int workloads = WORKLOADS / 10;
        for (int workload = 0; workload < workloads; workload++) {
            PodMatch match = new PodMatch(NamespaceScope.only("default"), peersOf(workload));
            SelectorGroup group = cluster.view().selectors().acquire(new SelectorGroup.Key(List.of(match), false));
            groups.add(group);
            counters.add(cluster.view()
                    .counters()
                    .acquire(
                            group.tally(),
                            new Topology.Key(HOSTNAME, false),
                            NodeEligibility.Key.having(HOSTNAME),
                            true));
            assertThat(counters.getLast().sums()).hasSizeGreaterThanOrEqualTo(NODES);
            for (int number = 0; number < 2; number++) {
                cluster.putPod(pod(workload, number).build());
            }
        }

        assertThat(CountingRoom.room(cluster.view().counters())).isLessThanOrEqualTo(ROOM * workloads);
        assertThat(counters).allSatisfy(counter -> {
            assertThat(counter.countedDomains()).isEqualTo(NODES);
            assertThat(counter.minimum()).isZero();
            assertThat(counter.total()).isEqualTo(2);
        });
        counters.forEach(cluster.view().counters()::release);
        groups.forEach(cluster.view().selectors()::release);
        assertNothingIsLeft();
    }
}
