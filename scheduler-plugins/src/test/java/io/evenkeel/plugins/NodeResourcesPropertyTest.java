package io.evenkeel.plugins;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.value.ResourceList;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random nodes, pods, placements and removals: the filter for all nodes, the filter for one and {@link NaiveResources},
 * which counts anew from the objects, agree at every step. A failure names its seed; {@code -Devenkeel.seed} gives another.
 */
class NodeResourcesPropertyTest {
    private static final int RUNS = 15;
    private static final int STEPS = 120;
    private static final String[] RESOURCES = {
        "cpu",
        "memory",
        "ephemeral-storage",
        "example.com/gpu",
        "deviceclass.resource.kubernetes.io/c1",
        "ignored.com/x",
        "hugepages-2Mi",
        "storage"
    };

    @Test
    void allWaysOfAskingAgreeWithCountingAnew() {
        Rotation.seeds(RUNS).forEach(NodeResourcesPropertyTest::run);
    }

    private static void run(long seed) {
        try {
            compareAtEachStep(seed);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Devenkeel.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    private static void compareAtEachStep(long seed) {
        Random random = new Random(seed);
        ResourceCluster cluster = new ResourceCluster();
        NodeResourcesFitArgs args =
                new NodeResourcesFitArgs(List.of("ignored.com/x"), List.of(), randomStrategy(random));
        String[] balancedOver = randomNames(random);
        NodeResourcesFit fit = cluster.fit(args);
        NodeResourcesBalancedAllocation balanced = cluster.balanced(balancedOver);
        List<Pod> shapes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            shapes.add(randomPod(random, "shape-" + i).build());
        }
        for (int step = 0; step < STEPS; step++) {
            change(random, cluster, shapes);
            Pod pod = shapes.get(random.nextInt(shapes.size()));
            NaiveResources naive = new NaiveResources(cluster.state);
            assertThat(cluster.verdicts(fit, pod)).as("filter at step %s", step).isEqualTo(naive.verdicts(args, pod));
            assertThat(cluster.verdictsOneByOne(fit, pod))
                    .as("filter one by one at step %s", step)
                    .isEqualTo(naive.verdicts(args, pod));
            assertThat(cluster.scores(fit, pod))
                    .as("%s at step %s", args.scoringStrategy(), step)
                    .isEqualTo(naive.fitScores(args.scoringStrategy(), pod));
            assertThat(cluster.scores(balanced, pod))
                    .as("balance of %s at step %s", List.of(balancedOver), step)
                    .isEqualTo(naive.balanceScores(List.of(balancedOver), pod));
        }
    }

    private static void change(Random random, ResourceCluster cluster, List<Pod> shapes) {
        String node = "n" + random.nextInt(8);
        ClusterState state = cluster.state;
        switch (random.nextInt(9)) {
            case 0 -> cluster.with(node, randomAllocatable(random));
            case 1 -> {
                if (random.nextInt(4) == 0) {
                    state.removeNode(node);
                }
            }
            case 2, 3 -> state.removePod("default/pod-" + random.nextInt(30));
            case 4 ->
                shapes.set(
                        random.nextInt(shapes.size()),
                        randomPod(random, "shape").build());
            case 5 -> {
                DeviceClass deviceClass = new DeviceClass(
                        ObjectMeta.named("", "c" + random.nextInt(3)),
                        List.of(),
                        List.of(),
                        random.nextBoolean() ? "example.com/gpu" : "");
                if (random.nextBoolean()) {
                    state.put(deviceClass);
                } else {
                    state.remove(deviceClass);
                }
            }
            default -> {
                Pod shape = shapes.get(random.nextInt(shapes.size()));
                state.put(new Pod(
                        pod("pod-" + random.nextInt(30)).build().meta(),
                        PodBuilder.from(shape).nodeName(node).build().spec(),
                        shape.status()));
            }
        }
    }

    private static String[] randomAllocatable(Random random) {
        List<String> amounts = new ArrayList<>(List.of("pods", String.valueOf(random.nextInt(7))));
        for (String resource : RESOURCES) {
            if (random.nextInt(6) != 0) {
                amounts.addAll(List.of(resource, amount(random, resource, 40)));
            }
        }
        return amounts.toArray(String[]::new);
    }

    private static PodBuilder randomPod(Random random, String name) {
        PodBuilder pod = pod(name);
        for (int i = random.nextInt(3); i >= 0; i--) {
            pod.container(ResourceList.of(randomRequests(random)));
        }
        for (int i = random.nextInt(6) - 3; i > 0; i--) {
            if (random.nextBoolean()) {
                pod.sidecar(randomRequests(random));
            } else {
                pod.initContainer(randomRequests(random));
            }
        }
        if (random.nextInt(5) == 0) {
            pod.overhead(ResourceList.of("cpu", amount(random, "cpu", 3)));
        }
        return random.nextInt(5) == 0 ? pod.podRequests(randomRequests(random)) : pod;
    }

    private static String[] randomRequests(Random random) {
        TreeMap<String, String> requests = new TreeMap<>();
        while (random.nextInt(3) != 0) {
            String resource = RESOURCES[random.nextInt(RESOURCES.length)];
            requests.put(resource, amount(random, resource, 12));
        }
        return requests.entrySet().stream()
                .flatMap(entry -> List.of(entry.getKey(), entry.getValue()).stream())
                .toArray(String[]::new);
    }

    private static String amount(Random random, String resource, int bound) {
        int amount = random.nextInt(bound);
        return switch (resource) {
            case "cpu" -> amount * 73 + "m";
            case "memory", "ephemeral-storage", "hugepages-2Mi" -> amount * 37 + "Mi";
            default -> String.valueOf(amount);
        };
    }

    private static ScoringStrategy randomStrategy(Random random) {
        List<ResourceWeight> resources = new ArrayList<>();
        for (String name : randomNames(random)) {
            resources.add(new ResourceWeight(name, 1 + random.nextInt(5)));
        }
        ScoringStrategy.Type type = List.of(ScoringStrategy.Type.values()).get(random.nextInt(3));
        List<ShapePoint> shape = new ArrayList<>();
        if (type == ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO) {
            for (int at = random.nextInt(50); at <= 100; at += 1 + random.nextInt(60)) {
                shape.add(new ShapePoint(at, random.nextInt(11)));
            }
        }
        return new ScoringStrategy(type, resources, shape);
    }

    private static String[] randomNames(Random random) {
        List<String> names = new ArrayList<>();
        for (String resource : RESOURCES) {
            if (random.nextBoolean()) {
                names.add(random.nextInt(names.size() + 1), resource);
            }
        }
        return names.isEmpty() ? new String[] {"cpu", "memory"} : names.toArray(String[]::new);
    }
}
