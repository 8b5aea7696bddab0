package io.evenkeel.lab.demo;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.demo.Demo.Story;
import io.evenkeel.lab.demo.Stage.DemoConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Stories of pods that are placed together. */
final class GroupStories {

    private GroupStories() {}

    /** Pods that are each allowed where they go, and the last of them nowhere; and the same looked at as a whole. */
    static final class RedisShards {
        private static final int RUNS = 120;
        private static final List<String> SHARDS = List.of("a", "b", "c");
        private static final List<Manifest> PODS = List.of("0", "1").stream()
                .flatMap(replica -> SHARDS.stream()
                        .map(shard ->
                                Manifest.pod("redis-" + replica + shard, "app: redis, shard: " + shard, point(shard))))
                .toList();

        static final Story STORY =
                new Story("redis-shards", "Redis beside what kube-scheduler's rule does", """
                    Three shards of two pods, on six nodes in three zones. Nodes may differ by
                    one pod, zones by two, and no zone may have a shard twice.
                    """, RedisShards::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[] | zone-c: node5[] node6[]");
            telling.applies(PODS.getFirst());
            telling.say("", "and the others, two of each shard; their scheduler is still to be started");
            PODS.forEach(scene::create);
            Cluster before = scene.await("six pods", cluster -> cluster.pods().size() == PODS.size());

            telling.say(
                    "rule",
                    "Pod by pod, each goes to one of the nodes that look best, drawn at random. These six in %,d runs, as the engine decides them:"
                            .formatted(RUNS));
            PodByPod rule = PodByPod.run(DemoConfiguration.lookingAhead(), before, RUNS);
            telling.draws(rule.table());

            telling.say("profile", "of a scheduler that looks ahead for pods of one app, and now begins");
            telling.quote(DemoConfiguration.ofProfile("redis"));
            Cluster after;
            try (Stage.Guest _ = scene.stage().start(DemoConfiguration.lookingAhead())) {
                after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(PODS.size()));
            }
            telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
            telling.check("pod by pod, the last of them has no node in some runs", rule.strandsTheLastInSome(), rule);
            telling.check("looked at as a whole, all six have one", after.hasPlaced(PODS.size()), after.sentence());
            telling.check(
                    "nodes differ by one pod at most, and zones by two",
                    Cluster.skew(after.podsByNode()) <= 1 && Cluster.skew(after.podsByZone()) <= 2,
                    after.podsByNode());
        }

        private static String point(String shard) {
            return """
                schedulerName: redis
                topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: kubernetes.io/hostname
                  whenUnsatisfiable: DoNotSchedule
                  labelSelector: {matchLabels: {app: redis}}
                - maxSkew: 2
                  topologyKey: topology.kubernetes.io/zone
                  whenUnsatisfiable: DoNotSchedule
                  labelSelector: {matchLabels: {app: redis}}
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution: [{
                      topologyKey: topology.kubernetes.io/zone,
                      labelSelector: {matchLabels: {app: redis, shard: %s}}}]
                """.formatted(shard);
        }

        /**
         * The outcome for pods that are decided one by one, over and over from seeds 1, 2, …: the best node for each, and where several
         * are, one of them at random.
         *
         * @param pods of each run
         * @param runsByPlaced how many runs placed so many pods
         */
        private record PodByPod(int pods, Map<Integer, Integer> runsByPlaced) {

            /** The pods of the cluster that wait, decided by the engine alone as its cluster is. */
            static PodByPod run(SchedulerConfiguration configuration, Cluster cluster, int runs) {
                PluginRegistry registry = InTreePlugins.registry();
                Map<Integer, Integer> runsByPlaced = new TreeMap<>();
                for (int seed = 1; seed <= runs; seed++) {
                    Engine engine = new Engine(
                            configuration,
                            registry,
                            new AtRandom(new SplittableRandom(seed)),
                            SchedulingCycle.Scoring.WHEN_NEEDED);
                    cluster.nodes().forEach(engine::put);
                    runsByPlaced.merge(placed(cluster, engine), 1, Integer::sum);
                }
                return new PodByPod(cluster.waiting().size(), runsByPlaced);
            }

            private static int placed(Cluster cluster, Engine engine) {
                int placed = 0;
                for (Pod pod : cluster.waiting()) {
                    if (engine.decide(pod) instanceof Decision.Placed decision) {
                        engine.assume(pod, decision);
                        placed++;
                    }
                }
                return placed;
            }

            /** Whether the last pod found no node in some runs, and all did in others. */
            boolean strandsTheLastInSome() {
                return runsByPlaced.keySet().equals(Set.of(pods - 1, pods));
            }

            TextTable table() {
                TextTable table =
                        TextTable.withHeads("pods with a node", "runs").rule();
                runsByPlaced.forEach((placed, count) -> table.row(placed + " of " + pods, String.valueOf(count)));
                return table;
            }
        }
    }

    /** A gang for which there is no place: none of it takes one, it says why, and goes on as soon as there is one. */
    static final class WaitingGang {
        private static final int NEEDED = 4;
        private static final String WHY =
                "4 are asked for: anti-affinity over nodes (kubernetes.io/hostname) and the room there"
                        + " contradict each other; 3 would do";
        private static final Manifest GROUP = Manifest.podGroup("train", "schedulingPolicy:\n  gang: {minCount: 4}\n");
        private static final List<Manifest> WORKERS = IntStream.rangeClosed(1, NEEDED)
                .mapToObj(number -> Manifest.pod("train-" + number, """
                        schedulerName: gangs
                        schedulingGroup: {podGroupName: train}
                        affinity:
                          podAntiAffinity:
                            requiredDuringSchedulingIgnoredDuringExecution: [{
                              topologyKey: kubernetes.io/hostname,
                              labelSelector: {matchLabels: {app: train}}}]
                        """))
                .toList();

        static final Story STORY = new Story("gang", "A gang that waits for a node", """
                    Four workers that are of no use but together, each on a node of its own.
                    There are three nodes, so none of them may take one and wait there.
                    """, WaitingGang::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[] | zone-c: node3[]");
            Cluster before = scene.cluster();
            telling.say("profile", "of the scheduler's configuration");
            telling.quote(DemoConfiguration.ofProfile("gangs"));
            telling.applies(GROUP);
            telling.applies(WORKERS.getFirst());
            telling.say("", "and train-2, train-3 and train-4");
            scene.create(GROUP);
            WORKERS.forEach(scene::create);
            Cluster waiting = scene.await("four workers refused", cluster -> cluster.hasPlacedAndRefused(0, NEEDED));

            String condition = waiting.sentence();
            telling.say("status", condition);
            String event = event(scene);
            telling.say("event", event);
            telling.say("so", "A fourth node joins:");
            scene.join("node4", "zone-a");
            Cluster after = scene.await("four workers on nodes", cluster -> cluster.hasPlaced(NEEDED));

            telling.draws(
                    Moment.of("before", before),
                    Moment.of("applied", waiting),
                    Moment.since(before, "node4 joined", after));
            telling.check(
                    "no worker has a node before all have", waiting.waiting().size() == NEEDED, waiting.sentence());
            telling.check(
                    "each worker says what its gang waits for",
                    condition.endsWith("pod group gang/train waits: " + WHY),
                    condition);
            telling.check("and so does an event of the PodGroup", event.endsWith(WHY), event);
            telling.check("with a fourth node all four go", after.hasPlaced(NEEDED), after.sentence());
        }

        private static String event(Scene scene) {
            return scene.user()
                    .awaitEvent(
                            scene.namespace(),
                            event -> Trees.text(event, "involvedObject", "kind").equals("PodGroup"),
                            scene.stage().patience())
                    .map(event -> Trees.text(event, "type") + " " + Trees.text(event, "reason") + " podgroup/"
                            + Trees.text(event, "involvedObject", "name") + ": " + Trees.text(event, "message"))
                    .orElse("no event");
        }
    }
}
