package io.evenkeel.plugins.preemption;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A crowded cluster to which one thing after the other happens, pods that preempt among them. */
final class CrowdedStream {
    private final SplittableRandom random;
    private final CrowdedObjects objects;
    private final List<TwinPreemption> made = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            withTwin(TwinPreemption.factory(made)),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);

    private int named;

    /** The plugins in the tree, and this one in the place of that of its name. */
    private static PluginRegistry withTwin(PluginFactory twin) {
        PluginRegistry inTree = InTreePlugins.registry();
        return new PluginRegistry(inTree.extensionPoints().keySet().stream()
                .map(name -> name.equals(twin.name()) ? twin : inTree.find(name).orElseThrow())
                .toList());
    }

    CrowdedStream(long seed) {
        random = new SplittableRandom(seed);
        objects = new CrowdedObjects(random);
        for (int node = 0; node < CrowdedObjects.NODES; node++) {
            engine.put(objects.node(node));
        }
        for (int i = 0; i < 30; i++) {
            place(objects.placed("p" + named++));
        }
    }

    TwinPreemption twins() {
        return made.getFirst();
    }

    List<String> audit() {
        return ClusterAudit.differences(engine.cluster());
    }

    void next() {
        switch (random.nextInt(16)) {
            case 0 -> engine.put(objects.node(random.nextInt(CrowdedObjects.NODES)));
            case 1 -> engine.remove(objects.node(random.nextInt(CrowdedObjects.NODES)));
            case 2, 3 -> place(objects.placed("p" + named++));
            case 4 -> remove(anyPod());
            case 5 -> place(objects.changed(anyPod()));
            case 6 -> place(objects.placed(anyPod().meta().name()));
            case 7, 8 -> engine.put(objects.budget());
            case 9 -> engine.remove(objects.budget());
            case 10 -> nominate();
            default -> preempt(objects.preemptor("q" + named++));
        }
    }

    private Pod anyPod() {
        return pods.isEmpty() ? objects.placed("p0") : oneOf(random, pods.toArray(Pod[]::new));
    }

    private void place(Pod pod) {
        pods.removeIf(other -> other.key().equals(pod.key()));
        pods.add(pod);
        twins().order.put(pod);
        engine.put(pod);
    }

    private void remove(Pod pod) {
        pods.removeIf(other -> other.key().equals(pod.key()));
        twins().order.remove(pod);
        engine.remove(pod);
    }

    private void nominate() {
        if (random.nextInt(3) == 0) {
            twins().nominated.clear();
        } else {
            twins().nominated
                    .add(PodBuilder.from(objects.preemptor("q" + named++))
                            .nominatedNodeName("n" + random.nextInt(CrowdedObjects.NODES))
                            .build());
        }
    }

    /** Mostly those go who have to, and the pod is placed if it can be. */
    private void preempt(Pod pod) {
        if (engine.decide(pod) instanceof Decision.Unschedulable no && random.nextInt(3) > 0) {
            no.victims().forEach(this::remove);
        }
        if (engine.decide(pod) instanceof Decision.Placed placed) {
            place(PodBuilder.from(pod)
                    .nodeName(engine.cluster().nodes().name(placed.node()))
                    .build());
        }
    }
}
