package io.evenkeel.lab.bench;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Nodes as preemptors find them: on each twenty pods of three priorities, of a hundred apps, started one after the other, that
 * leave no room for another; and, if wanted, a budget for each app.
 */
final class FullNodes {
    private static final int PODS_A_NODE = 20;
    private static final int[] PRIORITIES = {0, 100, 200};
    private static final int APPS = 100;
    private static final Instant FIRST_START = Instant.parse("2026-01-01T00:00:00Z");

    /** How many may be disturbed of the apps in turn. */
    private static final int[] ALLOWED = {0, 1, 10, 100, 1_000};

    private FullNodes() {}

    static void addPods(BenchCase benchCase, List<KubernetesObject> objects) {
        for (int index = 0; index < benchCase.nodes() * PODS_A_NODE; index++) {
            int number = index / benchCase.nodes();
            objects.add(PodBuilder.pod("resident-" + index)
                    .uid("resident-" + index)
                    .label(WorkloadPods.APP, app(index))
                    .priority(PRIORITIES[number % PRIORITIES.length])
                    .container("cpu", "3200m", "memory", "13107Mi")
                    .nodeName("node-" + index % benchCase.nodes())
                    .status(PodStatusBuilder.running()
                            .startTime(FIRST_START.plusSeconds(index).toString())
                            .build())
                    .build());
        }
    }

    static void addBudgets(List<KubernetesObject> objects) {
        for (int app = 0; app < APPS; app++) {
            objects.add(new PodDisruptionBudget(
                    ObjectMeta.named("default", app(app)),
                    LabelSelector.matchingLabels(Labels.of(WorkloadPods.APP, app(app))),
                    ALLOWED[app % ALLOWED.length],
                    Set.of()));
        }
    }

    /** Neighbours on a node are of different apps, and each app is on many nodes. */
    private static String app(int index) {
        return "resident-" + (index + index / APPS) % APPS;
    }
}
