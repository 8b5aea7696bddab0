package io.evenkeel.plugins.preemption;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** A few nodes with pods of many priorities on them, budgets for some of these, and pods that find no room. */
final class CrowdedCluster {
    private static final String[] APPS = {"a", "b", "c"};
    private static final PodAffinity ANTI_AFFINITY = new PodAffinity(
            List.of(),
            List.of(),
            List.of(new PodAffinityTerm(selecting("a"), "zone", List.of(), LabelSelector.NOTHING)),
            List.of());

    private final SplittableRandom random;
    final List<Node> nodes = new ArrayList<>();
    final List<Pod> pods = new ArrayList<>();
    final List<PodDisruptionBudget> budgets = new ArrayList<>();

    CrowdedCluster(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            nodes.add(NodeBuilder.node("n" + i)
                    .label("host", "n" + i)
                    .label("zone", oneOf(random, "x", "y"))
                    .allocatable("cpu", oneOf(random, "2", "3", "5"), "pods", oneOf(random, "3", "9"))
                    .build());
        }
        for (int i = 2 + random.nextInt(18); i > 0; i--) {
            pods.add(placed("p" + i));
        }
        for (String app : APPS) {
            if (random.nextBoolean()) {
                budgets.add(new PodDisruptionBudget(
                        ObjectMeta.named("default", app),
                        selecting(app),
                        random.nextInt(3),
                        random.nextInt(4) == 0 ? Set.of("p1") : Set.of()));
            }
        }
    }

    private Pod placed(String name) {
        PodBuilder pod = PodBuilder.pod(name)
                .uid(name)
                .nodeName("n" + (1 + random.nextInt(nodes.size())))
                .priority(random.nextInt(5) - 1)
                .container("cpu", oneOf(random, "500m", "1", "2"))
                .status(status());
        if (random.nextInt(4) > 0) {
            pod.label("app", oneOf(random, APPS));
        }
        if (random.nextInt(4) == 0) {
            pod.hostPort(80);
        }
        if (random.nextInt(6) == 0) {
            pod.podAffinity(ANTI_AFFINITY);
        }
        return pod.build();
    }

    private PodStatus status() {
        PodStatusBuilder running = PodStatusBuilder.running();
        if (random.nextInt(5) > 0) {
            running.startTime("2026-01-01T00:00:0" + random.nextInt(5) + "Z");
        }
        return running.build();
    }

    /** No pod affinity among them: with it, one more pod can be what lets another in. */
    Pod preemptor() {
        PodBuilder pod = PodBuilder.pod("preemptor")
                .label("app", oneOf(random, APPS))
                .priority(random.nextInt(6))
                .container("cpu", oneOf(random, "500m", "2", "3"));
        switch (random.nextInt(5)) {
            case 0 -> pod.hostPort(80);
            case 1 -> pod.podAffinity(ANTI_AFFINITY);
            case 2 ->
                pod.spread(new TopologySpreadConstraint(
                        1,
                        "zone",
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        selecting("a"),
                        1,
                        NodeInclusionPolicy.HONOR,
                        NodeInclusionPolicy.IGNORE,
                        List.of()));
            default -> {}
        }
        return pod.build();
    }

    private static LabelSelector selecting(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }
}
