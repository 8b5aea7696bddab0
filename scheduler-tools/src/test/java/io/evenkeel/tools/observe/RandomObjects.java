package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Random news of a small cluster, and what there is after them. */
final class RandomObjects {
    private static final List<String> APPS = List.of("web", "db", "cache", "jobs");

    /** All there is. */
    record Known(List<Node> nodes, List<Pod> pods, List<Service> services, List<String> replicaSets) {}

    private final Random random;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Service> services = new TreeMap<>();
    private final Map<String, Integer> replicaSets = new TreeMap<>();
    private final Map<String, PodBuilder> templates = new TreeMap<>();
    private int made;

    RandomObjects(Random random) {
        this.random = random;
        APPS.forEach(app -> templates.put(app, template(app)));
    }

    Known known() {
        return new Known(
                List.copyOf(nodes.values()),
                List.copyOf(pods.values()),
                List.copyOf(services.values()),
                List.copyOf(replicaSets.keySet()));
    }

    void change(ObservedCluster cluster) {
        switch (random.nextInt(12)) {
            case 0, 1 -> putNode(cluster);
            case 2 -> removeNode(cluster);
            case 3 -> putOrRemoveService(cluster);
            case 4 -> putOrRemoveReplicaSet(cluster);
            case 5, 6 -> removePod(cluster);
            case 7 -> placeOrEndPod(cluster);
            case 8 -> relist(cluster);
            default -> putPod(cluster);
        }
    }

    private void putNode(ObservedCluster cluster) {
        String name = "n" + random.nextInt(6);
        NodeBuilder node = NodeBuilder.node(name).allocatable("cpu", "100", "memory", "64Gi", "pods", "110");
        if (random.nextInt(5) > 0) {
            node.hostname(name);
        }
        if (random.nextInt(5) > 0) {
            node.zone("z" + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            node.taint(new Taint("dedicated", "yes", TaintEffect.NO_SCHEDULE));
        }
        node.label("disk", random.nextBoolean() ? "ssd" : "hdd");
        nodes.put(name, node.build());
        cluster.put(nodes.get(name));
    }

    private void removeNode(ObservedCluster cluster) {
        any(nodes).ifPresent(node -> {
            nodes.remove(node.meta().name());
            cluster.remove(node);
        });
    }

    private void putOrRemoveService(ObservedCluster cluster) {
        String app = APPS.get(random.nextInt(APPS.size()));
        Service service = new Service(ObjectMeta.named("shop", app), Labels.of("app", app));
        if (services.remove(app) == null) {
            services.put(app, service);
            cluster.put(service);
        } else {
            cluster.remove(service);
        }
    }

    private void putOrRemoveReplicaSet(ObservedCluster cluster) {
        String app = APPS.get(random.nextInt(APPS.size()));
        if (replicaSets.remove(app) == null) {
            replicaSets.put(app, 3);
            cluster.put(ObservedCluster.replicaSet(app, 3));
        } else {
            cluster.remove(ObservedCluster.replicaSet(app, 3));
        }
    }

    private void putPod(ObservedCluster cluster) {
        String app = APPS.get(random.nextInt(APPS.size()));
        Pod template = templates.get(app).build();
        String name = app + "-" + made++;
        PodBuilder pod = PodBuilder.from(template).name(name).uid("uid-" + name);
        if (!nodes.isEmpty() && random.nextInt(4) > 0) {
            pod.nodeName(any(nodes).orElseThrow().meta().name());
        }
        put(cluster, pod.build());
    }

    private void put(ObservedCluster cluster, Pod pod) {
        pods.put(pod.key(), pod);
        cluster.put(pod);
    }

    private void removePod(ObservedCluster cluster) {
        any(pods).ifPresent(pod -> {
            pods.remove(pod.key());
            cluster.remove(pod);
        });
    }

    private void placeOrEndPod(ObservedCluster cluster) {
        any(pods).ifPresent(pod -> {
            if (pod.isPlaced()) {
                put(cluster, PodBuilder.from(pod).terminating(true).build());
            } else if (!nodes.isEmpty()) {
                put(
                        cluster,
                        PodBuilder.from(pod)
                                .nodeName(any(nodes).orElseThrow().meta().name())
                                .build());
            }
        });
    }

    /** In which a few things have happened unheard. */
    private void relist(ObservedCluster cluster) {
        any(pods).ifPresent(pod -> pods.remove(pod.key()));
        any(nodes).ifPresent(node -> nodes.remove(node.meta().name()));
        List<KubernetesObject> all = new ArrayList<>(nodes.values());
        all.addAll(services.values());
        replicaSets.forEach((app, replicas) -> all.add(ObservedCluster.replicaSet(app, replicas)));
        all.addAll(pods.values());
        cluster.relist(all);
    }

    private PodBuilder template(String app) {
        PodBuilder pod = ObservedCluster.podOf(app, "template");
        int constraints = app.equals("jobs") ? 0 : 1 + random.nextInt(2);
        for (int i = 0; i < constraints; i++) {
            boolean hard = random.nextBoolean();
            pod.spread(new TopologySpreadConstraint(
                    1 + random.nextInt(2),
                    i == 0 ? ZONE : HOST,
                    hard ? WhenUnsatisfiable.DO_NOT_SCHEDULE : WhenUnsatisfiable.SCHEDULE_ANYWAY,
                    selector(app),
                    hard ? 1 + random.nextInt(3) : 1,
                    random.nextBoolean() ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                    random.nextBoolean() ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                    random.nextBoolean() ? List.of("pod-template-hash") : List.of()));
        }
        if (random.nextInt(3) == 0) {
            pod.nodeSelector("disk", "ssd");
        }
        return pod;
    }

    /** One that counts another app's pods too, now and then. */
    private LabelSelector selector(String app) {
        return switch (random.nextInt(4)) {
            case 0 -> LabelSelector.matchingLabels(Map.of("pod-template-hash", "5d9f"));
            default -> LabelSelector.matchingLabels(Map.of("app", app));
        };
    }

    private <T> Optional<T> any(Map<String, T> all) {
        List<T> values = List.copyOf(all.values());
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
    }
}
