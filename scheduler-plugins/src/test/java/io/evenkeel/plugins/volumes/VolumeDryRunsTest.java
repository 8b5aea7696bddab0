package io.evenkeel.plugins.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a dry run says of a node once some pods have left it is what the filter says where they are gone indeed. */
@Rotated(3)
class VolumeDryRunsTest {
    private static final int STEPS = 500;
    private static final int NODES = 3;

    private final ClusterState cluster = new ClusterState(FeatureGates.with(Map.of("VolumeLimitScaling", true)));
    private final TreeContext context = new TreeContext(cluster.view(), Optional.empty());
    private int compared;
    private int freed;

    static LongStream seeds() {
        return Rotation.seeds(6);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void restrictions(long seed) {
        play(new RandomStorage(seed, NODES), new VolumeRestrictions(context));
        assertThat(freed).isGreaterThan(5);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void limits(long seed) {
        play(new RandomStorage(seed, NODES), new NodeVolumeLimits(context));
        assertThat(freed).isGreaterThan(5);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void binding(long seed) {
        play(new RandomStorage(seed, NODES), new VolumeBinding(context));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void zones(long seed) {
        play(new RandomStorage(seed, NODES), new VolumeZone(context));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoIsNominatedCountsAsIfInPlace(long seed) {
        RandomStorage storage = new RandomStorage(seed, NODES);
        NodeVolumeLimits limits = new NodeVolumeLimits(context);
        VolumeRestrictions restrictions = new VolumeRestrictions(context);
        for (int step = 0; step < STEPS; step++) {
            cluster.put(storage.anything());
            PodInfo pod = cluster.admit(storage.pod("asking"));
            PodInfo nominated = cluster.admit(storage.pod("nominated"));
            compareBeside(limits, pod, nominated);
            if (nominated.pod().spec().volumes().stream().noneMatch(KnownVolumes::isClaim)) {
                compareBeside(restrictions, pod, nominated);
            }
            cluster.dismiss(pod);
            cluster.dismiss(nominated);
        }
        assertThat(compared).isGreaterThan(STEPS / 10);
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin & DryRunPlugin> void compareBeside(
            P plugin, PodInfo pod, PodInfo nominated) {
        if (plugin.preFilter(new CycleState(), pod) instanceof PreFilterResult.Rejected) {
            return;
        }
        FilterDryRun dryRun = plugin.dryRun(pod);
        for (int node : Verdicts.ids(cluster.view().nodes().present())) {
            dryRun.begin(node);
            assertThat(dryRun.addNominated(nominated)).isTrue();
            try (WhatIf whatIf = cluster.whatIf()) {
                whatIf.place(nominated.pod(), node);
                assertThat(dryRun.verdict())
                        .as("%s to %s beside %s", plugin.name(), pod.pod(), nominated.pod())
                        .isEqualTo(filter(plugin, pod, node));
            }
            compared++;
        }
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin & DryRunPlugin> void play(RandomStorage storage, P plugin) {
        for (int step = 0; step < STEPS; step++) {
            cluster.put(storage.anything());
            cluster.put(storage.placedPod());
            Pod pod = storage.random().nextBoolean() ? storage.pod("asking") : storage.modestPod("asking");
            Verdicts.with(cluster, pod, info -> compare(storage, plugin, info));
        }
        assertThat(compared).isGreaterThan(STEPS / 10);
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin & DryRunPlugin> boolean compare(
            RandomStorage storage, P plugin, PodInfo pod) {
        if (plugin.preFilter(new CycleState(), pod) instanceof PreFilterResult.Rejected) {
            return false;
        }
        FilterDryRun dryRun = plugin.dryRun(pod);
        for (int node : Verdicts.ids(cluster.view().nodes().present())) {
            compare(storage, plugin, pod, dryRun, node);
        }
        return true;
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin> void compare(
            RandomStorage storage, P plugin, PodInfo pod, FilterDryRun dryRun, int node) {
        boolean mayHelp = dryRun.begin(node);
        Status asIs = dryRun.verdict();
        assertThat(asIs).isEqualTo(filter(plugin, pod, node));
        Set<Integer> gone = new HashSet<>();
        List<String> done = new ArrayList<>();
        for (int row : rowsOn(node)) {
            if (storage.random().nextInt(3) > 0) {
                dryRun.count(row, -1);
                gone.add(row);
                done.add("-" + cluster.view().pods().pod(row));
            }
            if (!gone.isEmpty() && storage.random().nextInt(3) == 0) {
                int back = gone.iterator().next();
                dryRun.count(back, 1);
                gone.remove(back);
                done.add("+" + cluster.view().pods().pod(back));
            }
            Status without = without(gone, plugin, pod, node);
            assertThat(dryRun.verdict())
                    .as("%s to %s on %d after %s", plugin.name(), pod.pod(), node, done)
                    .isEqualTo(without);
            assertThat(without.equals(asIs) || mayHelp)
                    .as("told that the verdict stays %s, and it is %s", asIs, without)
                    .isTrue();
            compared++;
            freed += without.isSuccess() && !asIs.isSuccess() ? 1 : 0;
        }
    }

    private List<Integer> rowsOn(int node) {
        List<Integer> rows = new ArrayList<>();
        PodTable pods = cluster.view().pods();
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            rows.add(row);
        }
        return rows;
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin> Status without(
            Set<Integer> rows, P plugin, PodInfo pod, int node) {
        List<Pod> pods = rows.stream().map(cluster.view().pods()::pod).toList();
        try (WhatIf whatIf = cluster.whatIf()) {
            pods.forEach(whatIf::remove);
            return filter(plugin, pod, node);
        }
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin> Status filter(P plugin, PodInfo pod, int node) {
        CycleState state = new CycleState();
        return plugin.preFilter(state, pod) instanceof PreFilterResult.Skip
                ? Status.SUCCESS
                : plugin.filter(state, pod, cluster.view().nodeInfo(node));
    }
}
