package io.evenkeel.whatif.drain;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.NaiveDrains.ANode;
import io.evenkeel.whatif.drain.NaiveDrains.APod;
import io.evenkeel.whatif.drain.NaiveDrains.App;
import io.evenkeel.whatif.drain.NaiveDrains.Over;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Small clusters by chance, for {@link NaiveDrains} and for what is checked. */
final class DrawnClusters {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private DrawnClusters() {}

    /** Pods are where they fit as they come. */
    static NaiveDrains drawn(Random random) {
        NaiveDrains drawn = new NaiveDrains();
        int nodes = 2 + random.nextInt(3);
        int zones = 1 + random.nextInt(3);
        for (int i = 0; i < nodes; i++) {
            drawn.nodes.add(new ANode("n" + i, "z" + i % zones, 2 + random.nextInt(4), false));
        }
        if (random.nextInt(4) == 0) {
            drawn.nodes.add(new ANode("surge", "z" + random.nextInt(zones), 4, true));
        }
        drawn.mostAway = random.nextInt(4) == 0 ? 2 : 1;
        int apps = 1 + random.nextInt(2);
        for (int app = 0; app < apps; app++) {
            drawn.apps.add(app(random, app, apps, zones));
        }
        List<Integer> places = new ArrayList<>();
        int wanted = 1 + random.nextInt(6);
        for (int i = 0; i < wanted; i++) {
            drawn.pods.add(new APod("p" + i, random.nextInt(apps)));
            places.add(-1);
            drawn.places = toArray(places);
            NaiveDrains.State state = drawn.new State();
            int pod = drawn.pods.size() - 1;
            List<Integer> fitting = IntStream.range(0, nodes)
                    .filter(node -> state.fits(pod, node))
                    .boxed()
                    .toList();
            places.removeLast();
            if (fitting.isEmpty()) {
                drawn.pods.removeLast();
            } else {
                places.add(fitting.get(random.nextInt(fitting.size())));
            }
        }
        drawn.places = toArray(places);
        return drawn;
    }

    private static int[] toArray(List<Integer> list) {
        return list.stream().mapToInt(each -> each).toArray();
    }

    private static App app(Random random, int app, int apps, int zones) {
        int budget = random.nextInt(5);
        String amount = random.nextBoolean() ? random.nextInt(3) + "" : 20 * random.nextInt(6) + "%";
        return new App(
                1 + random.nextInt(2),
                random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(2),
                random.nextBoolean() ? Over.ZONE : Over.HOST,
                random.nextInt(4) == 0,
                random.nextInt(5) == 0 ? "z" + random.nextInt(zones) : "",
                random.nextInt(5) == 0 ? (random.nextBoolean() ? app : random.nextInt(apps)) : -1,
                1 + random.nextInt(5),
                budget == 0 ? amount : "",
                budget == 1 || budget == 2 ? amount : "");
    }

    static Node node(ANode node) {
        return NodeBuilder.node(node.name())
                .hostname(node.name())
                .zone(node.zone())
                .allocatable("cpu", Integer.toString(node.cpu()), "pods", "110")
                .build();
    }

    static ClusterSnapshot snapshot(NaiveDrains naive) {
        ClusterSnapshot cluster = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        naive.nodes.stream().filter(node -> !node.isOfSurge()).forEach(node -> cluster.put(node(node)));
        for (int i = 0; i < naive.apps.size(); i++) {
            App app = naive.apps.get(i);
            ObjectMeta meta = ObjectMeta.named("default", "app" + i);
            cluster.put(new WorkloadOwner(WorkloadOwner.Kind.REPLICA_SET, meta, selecting(i), app.replicas()));
            if (!app.minAvailable().isEmpty() || !app.maxUnavailable().isEmpty()) {
                cluster.put(new PodDisruptionBudget(
                        meta, selecting(i), amount(app.minAvailable()), amount(app.maxUnavailable()), 0, Set.of()));
            }
        }
        for (int i = 0; i < naive.pods.size(); i++) {
            APod pod = naive.pods.get(i);
            cluster.put(pod(pod, naive.apps.get(pod.app()))
                    .nodeName(naive.nodes.get(naive.places[i]).name())
                    .build());
        }
        return cluster;
    }

    private static Optional<IntOrPercent> amount(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(text.endsWith("%") ? IntOrPercent.parse(text) : IntOrPercent.of(Integer.parseInt(text)));
    }

    private static LabelSelector selecting(int app) {
        return LabelSelector.matchingLabels(Labels.of("app", "app" + app));
    }

    private static PodBuilder pod(APod pod, App app) {
        PodBuilder built = PodBuilder.pod(pod.name())
                .label("app", "app" + pod.app())
                .priority(pod.app())
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "app" + pod.app(), "uid"))
                .container("cpu", Integer.toString(app.cpu()));
        if (app.maxSkew() > 0) {
            built.spread(TopologySpreadConstraint.of(
                    app.maxSkew(),
                    app.spreadOver() == Over.ZONE ? ZONE : Node.HOSTNAME,
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    selecting(pod.app())));
        }
        if (!app.onlyZone().isEmpty()) {
            built.nodeSelector(Labels.of(Map.of(ZONE, app.onlyZone())));
        }
        return built.podAffinity(new PodAffinity(
                app.companion() < 0 ? List.of() : List.of(term(app.companion(), ZONE)),
                List.of(),
                app.isAloneOnNode() ? List.of(term(pod.app(), Node.HOSTNAME)) : List.of(),
                List.of()));
    }

    private static PodAffinityTerm term(int app, String key) {
        return new PodAffinityTerm(selecting(app), key, List.of(), LabelSelector.NOTHING);
    }
}
