package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.RandomCluster.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to pods, nodes and storage, what the volume plugins keep of it equals a recount, what was supposed leaves
 * no trace, and both forms of each filter agree. {@code -Devenkeel.seed=7} runs one seed, {@code -Devenkeel.steps=100000}
 * runs longer.
 */
class VolumeIndexesOracleTest {
    private static final int FEW_NODES = 6;
    /** So many that whole sets of them have a label. */
    private static final int MANY_NODES = 70;

    private static final int STEPS = Integer.getInteger("evenkeel.steps", 600);

    private final ClusterState cluster = new ClusterState(FeatureGates.with(Map.of("VolumeLimitScaling", true)));
    private final TreeContext context = new TreeContext(cluster.view(), Optional.empty());
    private final VolumeRestrictions restrictions = new VolumeRestrictions(context);
    private final NodeVolumeLimits limits = new NodeVolumeLimits(context);
    private final VolumeBinding binding = new VolumeBinding(context);
    private final VolumeZone zone = new VolumeZone(context);

    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private final List<Reserved> reserved = new ArrayList<>();

    /** A pod whose volumes are kept for it. */
    private record Reserved(CycleState state, PodInfo pod, String node) {}

    static LongStream seeds() {
        return Rotation.seeds(6);
    }

    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsKeptEqualsARecountAfterEveryEvent(long seed) {
        int nodes = seed % 2 == 0 ? FEW_NODES : MANY_NODES;
        RandomStorage storage = new RandomStorage(seed, nodes);
        RandomStorage additions = new RandomStorage(-seed, nodes);
        for (int i = 0; i < nodes; i++) {
            put(storage.node("n" + i));
        }
        int reservations = 0;
        for (int step = 0; step < STEPS; step++) {
            switch (storage.random().nextInt(12)) {
                case 0, 1 -> suppose(storage, additions, 2);
                case 2, 3 -> reservations += reserve(storage) ? 1 : 0;
                case 4 -> release(storage);
                default -> happen(storage);
            }
            check("seed " + seed + "L, step " + step);
            ask(storage.random().nextBoolean() ? storage.pod("asking") : storage.modestPod("asking"));
        }
        assertThat(reservations).isGreaterThan(2);
        leaveNothing();
    }

    private void check(String where) {
        assertThat(ClusterAudit.differences(cluster.view())).as(where).isEmpty();
    }

    /** So that what is worked out on demand is there to go stale; and both forms have to say the same. */
    private void ask(Pod pod) {
        Verdicts.of(cluster, restrictions, pod);
        Verdicts.of(cluster, limits, pod);
        Verdicts.of(cluster, binding, pod);
        Verdicts.of(cluster, zone, pod);
    }

    private void happen(RandomStorage storage) {
        KubernetesObject object = storage.anything();
        String key = object.kindName() + " " + object.meta().key();
        if (objects.containsKey(key) && storage.random().nextInt(4) == 0) {
            cluster.remove(objects.remove(key));
        } else {
            put(object);
        }
    }

    private void put(KubernetesObject object) {
        cluster.put(object);
        objects.put(object.kindName() + " " + object.meta().key(), object);
    }

    /** Pods and nodes come and go in thought, on one another's heels, and storage comes. */
    private void suppose(RandomStorage storage, RandomStorage additions, int depth) {
        String before = ClusterDump.of(cluster.view());
        try (WhatIf whatIf = cluster.whatIf()) {
            for (int i = storage.random().nextInt(5); i >= 0; i--) {
                int node = cluster.view().nodes().findPresent(storage.nodeName());
                switch (storage.random().nextInt(5)) {
                    case 0 -> whatIf.put(storage.node());
                    case 1 -> whatIf.removeNode(storage.nodeName());
                    case 2 -> whatIf.remove(storage.placedPod());
                    default -> {
                        if (node >= 0) {
                            whatIf.place(storage.pod("p" + storage.random().nextInt(10)), node);
                        }
                    }
                }
                add(additions.anything(), whatIf);
                check("supposed");
                ask(storage.pod("asking"));
                if (depth > 0 && storage.random().nextInt(4) == 0) {
                    suppose(storage, additions, depth - 1);
                }
            }
        }
        assertThat(ClusterDump.of(cluster.view())).as("dump after undoing").isEqualTo(before);
    }

    private void add(KubernetesObject object, WhatIf whatIf) {
        if (!(object instanceof Node || object instanceof Pod)
                && cluster.view().objects().like(object).isEmpty()) {
            whatIf.add(object);
        }
    }

    private boolean reserve(RandomStorage storage) {
        boolean changes = false;
        for (int i = 0; i < 10 && !changes; i++) {
            int node = cluster.view().nodes().findPresent(storage.nodeName());
            changes = node >= 0
                    && reserve(storage.modestPod("r" + storage.random().nextInt(4)), node);
        }
        return changes;
    }

    /** Whether anything had to be kept for it; it may have all it needs. */
    private boolean reserve(Pod wanting, int node) {
        PodInfo pod = cluster.admit(wanting);
        CycleState state = new CycleState();
        if (binding.preFilter(state, pod) instanceof PreFilterResult.Proceed
                && binding.filter(state, pod, cluster.view().nodeInfo(node)).isSuccess()) {
            String before = ClusterDump.of(cluster.view());
            assertThat(binding.reserve(state, pod, cluster.view().nodeInfo(node))
                            .isSuccess())
                    .as("it fits, and nothing has changed since")
                    .isTrue();
            reserved.add(new Reserved(state, pod, cluster.view().nodes().name(node)));
            return !before.equals(ClusterDump.of(cluster.view()));
        }
        cluster.dismiss(pod);
        return false;
    }

    private void release(RandomStorage storage) {
        if (!reserved.isEmpty()) {
            release(oneOf(storage.random(), reserved.toArray(Reserved[]::new)));
        }
    }

    private void release(Reserved one) {
        reserved.remove(one);
        binding.unreserve(one.state(), one.pod(), one.node());
        cluster.dismiss(one.pod());
    }

    private void leaveNothing() {
        List.copyOf(reserved).forEach(this::release);
        check("all released");
        assertThat(ClusterDump.of(cluster.view()))
                .doesNotContain("reserved for")
                .doesNotContain("to be made near");
        objects.values().forEach(cluster::remove);
        check("all gone");
        assertThat(ClusterDump.of(cluster.view())).isEmpty();
    }
}
