package io.evenkeel.lab.demo;

import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.lab.demo.Demo.Story;
import io.evenkeel.lab.demo.Stage.DemoConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Stories of constraints: how pods are spread, and when that holds them back. */
final class SpreadStories {

    private SpreadStories() {}

    /** A hard constraint over zones of different sizes. */
    static final class ZoneSpread {
        private static final Manifest WEB = Manifest.deployment("web", 6, Manifest.ZONES.formatted("web"));

        static final Story STORY = new Story("zone-spread", "Even over zones", """
                    Zone-a has three nodes, zone-b two, zone-c one. Six pods should stand two in
                    each zone all the same: zones may differ by one pod at most.
                    """, ZoneSpread::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[] node3[] | zone-b: node4[] node5[] | zone-c: node6[]");
            Cluster before = scene.cluster();
            telling.applies(WEB);
            scene.create(WEB);
            Cluster after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

            telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
            telling.check(
                    "each zone has two pods",
                    after.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2)),
                    after.podsByZone());
        }
    }

    /** Two hard constraints that no node satisfies at once: how to see it, and what helps. */
    static final class ConflictingConstraints {
        private static final String MESSAGE =
                "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."
                        + " no new claims to deallocate, preemption: 0/3 nodes are available:"
                        + " 3 No preemption victims found for incoming pod.";
        private static final Manifest SIXTH = Manifest.pod("web-6", Manifest.ZONES_AND_NODES.formatted("web"));

        static final Story STORY =
                new Story("conflict", "Two constraints that contradict each other", """
                    Five pods on three nodes. By zones the next must go to zone-b; by nodes
                    it must go to node2, which is in zone-a. So it goes nowhere, and waits.
                    """, ConflictingConstraints::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[web-1 web-2] node2[web-3] | zone-b: node3[web-4 web-5]");
            Cluster before = scene.cluster();
            telling.applies(SIXTH);
            scene.create(SIXTH);
            Cluster waiting = scene.await("web-6 refused", cluster -> cluster.hasPlacedAndRefused(5, 1));

            Pod sixth = waiting.waiting().getFirst();
            String condition = condition(sixth);
            telling.say("status", condition);
            String event = event(scene);
            telling.say("event", event);
            telling.say("why", "Neither says which constraint; the counts per domain do:");
            telling.drawsSkew(waiting, sixth);
            telling.say("so", "No node keeps both. A second node in zone-b would, and now it joins:");
            scene.join("node4", "zone-b");
            Cluster after = scene.await("web-6 on a node", cluster -> cluster.hasPlaced(6));

            telling.draws(
                    Moment.of("before", before),
                    Moment.of("applied", waiting),
                    Moment.since(before, "node4 joined", after));
            telling.check(
                    "the pod's condition says why it waits, in kube-scheduler's words",
                    condition.endsWith(MESSAGE),
                    condition);
            telling.check(
                    "and so does the event", event.contains("FailedScheduling") && event.contains(MESSAGE), event);
            telling.check("web-6 goes to node4 once that is there", after.isOn("web-6", "node4"), after.podsByNode());
        }

        private static String condition(Pod pod) {
            PodCondition condition = pod.status().scheduled().orElseThrow();
            return condition.type() + " " + condition.status() + " " + condition.reason() + ": " + condition.message();
        }

        private static String event(Scene scene) {
            return scene.user()
                    .awaitEvent(
                            scene.namespace(),
                            event -> Trees.text(event, "reason").equals("FailedScheduling"),
                            scene.stage().patience())
                    .map(event -> Trees.text(event, "type") + " FailedScheduling " + "pod/"
                            + Trees.text(event, "involvedObject", "name") + ": " + Trees.text(event, "message"))
                    .orElse("no event");
        }
    }

    /** matchLabelKeys makes each revision of a Deployment count its own pods only. */
    static final class RevisionSpread {
        private static final int REPLICAS = 4;
        private static final String NEW_IMAGE = "registry.k8s.io/pause:3.10.1";
        private static final Manifest WITH = Manifest.surgingDeployment(
                "with", REPLICAS, Manifest.ZONES.formatted("with") + "  matchLabelKeys: [pod-template-hash]\n");
        private static final Manifest WITHOUT =
                Manifest.surgingDeployment("without", REPLICAS, Manifest.ZONES.formatted("without"));

        static final Story STORY =
                new Story("rolling-update", "A rolling update with matchLabelKeys", """
                    The old pods stand in zone-a, since zone-b was away when they came. All new
                    pods come before the old ones go; they should be even among themselves.
                    """, RevisionSpread::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[]");
            telling.applies(WITH);
            telling.say("", WITHOUT.what() + ": the same, but for the last line");
            scene.create(WITH);
            scene.create(WITHOUT);
            scene.await("both Deployments' pods on nodes", cluster -> cluster.hasPlaced(2 * REPLICAS));
            scene.join("node3", "zone-b");
            scene.join("node4", "zone-b");
            Cluster before = scene.cluster();
            telling.say("then", "both get a new image, " + NEW_IMAGE);
            Set<String> old = before.pods().stream().map(Pod::name).collect(Collectors.toSet());
            scene.setImage("with", NEW_IMAGE);
            scene.setImage("without", NEW_IMAGE);
            Cluster after = scene.await(
                    "new pods only, all on nodes",
                    cluster -> cluster.hasPlaced(2 * REPLICAS)
                            && cluster.pods().stream().noneMatch(pod -> old.contains(pod.name())));

            Map<String, Integer> with = after.ofApp("with").podsByZone();
            Map<String, Integer> without = after.ofApp("without").podsByZone();
            telling.draws(
                    Moment.of("with, before", before.ofApp("with")),
                    Moment.of("after", after.ofApp("with")),
                    Moment.of("without, before", before.ofApp("without")),
                    Moment.of("after", after.ofApp("without")));
            telling.say("why", "Without it, new pods counted the old ones too, and made up for them until these went.");
            telling.check(
                    "with matchLabelKeys the zones end up even", with.equals(Map.of("zone-a", 2, "zone-b", 2)), with);
            telling.check(
                    "without it they end up as skewed as before",
                    without.equals(Map.of("zone-a", 0, "zone-b", 4)),
                    without);
        }
    }

    /** Constraints for pods that have none come from the profile that schedules them. */
    static final class ProfileDefaults {
        private static final Manifest CROWD = Manifest.deployment("crowd", 6, "schedulerName: no-defaults\n");
        private static final Manifest EVEN = Manifest.deployment("even", 6, "schedulerName: even-zones\n");

        static final Story STORY =
                new Story("default-constraints", "Default constraints by configuration", """
                    Pods without a constraint crowd on the big node, which has most room. The
                    profile even-zones, in the same scheduler, gives its pods a constraint.
                    """, ProfileDefaults::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-b: node2[] | zone-c: node3[]");
            scene.join("node1", "zone-a", Capacity.of("64", "256Gi", 110));
            Cluster before = scene.cluster();
            telling.say("profile", "of the scheduler's configuration");
            telling.quote(DemoConfiguration.ofProfile("even-zones"));
            telling.say("apply", "Service even, selector app: even; default constraints count whom it selects");
            telling.applies(CROWD);
            telling.applies(EVEN);
            scene.createService("even");
            scene.create(CROWD);
            scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));
            scene.create(EVEN);
            Cluster after = scene.await("twelve pods on nodes", cluster -> cluster.hasPlaced(12));

            Cluster crowd = after.ofApp("crowd");
            Cluster even = after.ofApp("even");
            telling.draws(Moment.of("before", before), Moment.of("no-defaults", crowd), Moment.of("even-zones", even));
            telling.check(
                    "without default constraints all stand on the big node",
                    crowd.podsByZone().equals(Map.of("zone-a", 6, "zone-b", 0, "zone-c", 0)),
                    crowd.podsByZone());
            telling.check(
                    "with them, each zone has two",
                    even.podsByZone().equals(Map.of("zone-a", 2, "zone-b", 2, "zone-c", 2)),
                    even.podsByZone());
        }
    }

    /** A Deployment of many pods at once, and how long that takes from end to end. */
    static final class LargeDeployment {
        private static final int PODS = 1_000;
        private static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");
        private static final int NODES_PER_ZONE = 20;
        private static final Manifest WEB = Manifest.deployment("web", PODS, Manifest.ZONES_AND_NODES.formatted("web"));

        static final Story STORY = new Story("large-deployment", "A thousand pods at once", """
                    A Deployment of 1,000 pods on 60 nodes in three zones. Zones must be even,
                    and so must nodes; each pod is bound by a request of its own.
                    """, LargeDeployment::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw(drawing());
            Map<String, IntSummaryStatistics> before = podsPerNodeByZone(scene.cluster());
            telling.applies(WEB);
            long start = System.nanoTime();
            scene.create(WEB);
            Cluster after = scene.await("1,000 pods on nodes", cluster -> cluster.hasPlaced(PODS));
            Duration time = Duration.ofNanos(System.nanoTime() - start);

            telling.draws(table(before, podsPerNodeByZone(after)));
            telling.say(
                    "time",
                    "%,d ms from the request to the last node seen in the API: %,d pods/s, with the API server, the controllers and the scheduler in one process."
                            .formatted(time.toMillis(), PODS * 1000L / Math.max(1, time.toMillis())));
            telling.check("all 1,000 pods have a node", after.hasPlaced(PODS), after.sentence());
            telling.check("zones differ by one pod at most", Cluster.skew(after.podsByZone()) <= 1, after.podsByZone());
            telling.check(
                    "nodes differ by one pod at most",
                    Cluster.skew(after.podsByNode()) <= 1,
                    "a skew of " + Cluster.skew(after.podsByNode()));
        }

        private static String drawing() {
            return String.join(
                    " | ",
                    ZONES.stream()
                            .map(zone -> zone + ": "
                                    + String.join(
                                            " ",
                                            IntStream.rangeClosed(1, NODES_PER_ZONE)
                                                    .mapToObj(number -> zone + "-" + number + "[]")
                                                    .toList()))
                            .toList());
        }

        private static Map<String, IntSummaryStatistics> podsPerNodeByZone(Cluster cluster) {
            Map<String, Integer> byNode = cluster.podsByNode();
            Map<String, IntSummaryStatistics> zones = new TreeMap<>();
            for (Node node : cluster.nodes()) {
                zones.computeIfAbsent(Cluster.zoneOf(node), zone -> new IntSummaryStatistics())
                        .accept(byNode.getOrDefault(node.name(), 0));
            }
            return zones;
        }

        private static TextTable table(
                Map<String, IntSummaryStatistics> before, Map<String, IntSummaryStatistics> after) {
            TextTable table = TextTable.withHeads("", "nodes", "before", "after", "fewest on a node", "most on a node")
                    .rule();
            before.forEach((zone, empty) -> {
                IntSummaryStatistics full = after.getOrDefault(zone, new IntSummaryStatistics());
                table.row(
                        zone,
                        String.valueOf(full.getCount()),
                        empty.getSum() + " pods",
                        full.getSum() + " pods",
                        String.valueOf(full.getMin()),
                        String.valueOf(full.getMax()));
            });
            return table;
        }
    }

    /** minDomains holds pods back until there are enough zones. */
    static final class MinDomains {
        private static final Manifest WEB =
                Manifest.deployment("web", 3, Manifest.ZONES.formatted("web") + "  minDomains: 3\n");

        static final Story STORY = new Story("min-domains", "minDomains: wait for a third zone", """
                    Three pods, two zones, and minDomains asks for three zones. Until there are
                    three, the emptiest counts as 0, so no zone may take a second pod.
                    """, MinDomains::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[]");
            Cluster before = scene.cluster();
            telling.applies(WEB);
            scene.create(WEB);
            Cluster waiting =
                    scene.await("two pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(2, 1));
            scene.join("node3", "zone-c");
            Cluster after = scene.await("three pods on nodes", cluster -> cluster.hasPlaced(3));

            telling.draws(Moment.of("before", before), Moment.of("applied", waiting), Moment.of("node3 joined", after));
            telling.check(
                    "one pod waits while there are two zones",
                    waiting.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1)),
                    waiting.podsByZone());
            telling.check(
                    "it goes to zone-c once that is there",
                    after.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 1)),
                    after.podsByZone());
        }
    }

    /** nodeTaintsPolicy decides whether nodes that the pod cannot use count. */
    static final class TaintedNodes {
        private static final Manifest IGNORE = Manifest.deployment("ignore", 3, Manifest.ZONES.formatted("ignore"));
        private static final Manifest HONOR =
                Manifest.deployment("honor", 3, Manifest.ZONES.formatted("honor") + "  nodeTaintsPolicy: Honor\n");

        static final Story STORY =
                new Story("tainted-nodes", "nodeTaintsPolicy: a node that the pod cannot use", """
                    Zone-c has one node, tainted and empty. With Ignore, the default, it is
                    the emptiest zone and blocks the others; with Honor it does not count.
                    """, TaintedNodes::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] | zone-b: node2[] | zone-c: node3[]");
            scene.taint("node3", "dedicated", "database");
            Cluster before = scene.cluster();
            telling.applies(HONOR);
            telling.say("", IGNORE.what() + ": the same, but for the last line");
            scene.create(HONOR);
            scene.create(IGNORE);
            Cluster after =
                    scene.await("five pods on nodes, one refused", cluster -> cluster.hasPlacedAndRefused(5, 1));

            Cluster honored = after.ofApp("honor");
            Cluster ignored = after.ofApp("ignore");
            telling.draws(Moment.of("before", before), Moment.of("Ignore", ignored), Moment.of("Honor", honored));
            telling.check(
                    "with Ignore the third pod waits",
                    ignored.podsByZone().equals(Map.of("zone-a", 1, "zone-b", 1, "zone-c", 0)),
                    ignored.podsByZone());
            telling.check(
                    "with Honor it has a node, and not the tainted one",
                    honored.hasPlaced(3) && honored.podsByNode().getOrDefault("node3", 0) == 0,
                    honored.podsByNode());
        }
    }

    /** Two hard constraints that must both hold. */
    static final class ZonesAndNodes {
        private static final Manifest DB = Manifest.statefulSet("db", 6, Manifest.ZONES_AND_NODES.formatted("db"));

        static final Story STORY =
                new Story("zones-and-nodes", "Even over zones and even over nodes", """
                    A StatefulSet starts its pods one after the other, on four nodes in two
                    zones. Neither zones nor nodes may ever differ by more than one pod.
                    """, ZonesAndNodes::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[] node2[] | zone-b: node3[] node4[]");
            Cluster before = scene.cluster();
            telling.applies(DB);
            scene.create(DB);
            Cluster after = scene.await("six pods on nodes", cluster -> cluster.hasPlaced(6));

            telling.draws(Moment.of("before", before), Moment.since(before, "after", after));
            telling.check(
                    "each zone has three pods",
                    after.podsByZone().values().stream().allMatch(pods -> pods == 3),
                    after.podsByZone());
            telling.check("nodes differ by one pod at most", Cluster.skew(after.podsByNode()) <= 1, after.podsByNode());
        }
    }
}
