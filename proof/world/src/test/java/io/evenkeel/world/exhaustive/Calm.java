package io.evenkeel.world.exhaustive;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.world.check.Violation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** How a world comes to rest: all that is on its way arrives, time passes as long as somebody waits for it; and what must be true then. */
final class Calm {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(3);
    private static final int MOST_STEPS = 3_000;
    private static final Map<String, Set<String>> FITTING = new ConcurrentHashMap<>();

    private final SmallWorld world;
    private int steps;

    Calm(SmallWorld world) {
        this.world = world;
    }

    void comes() {
        long end = world.election().clock().nanos() + LONGEST;
        arrive();
        for (long next = nextDeadline(); next < end; next = nextDeadline()) {
            world.election().passUntil(Math.max(next, world.election().clock().nanos() + 1));
            world.replicas().forEach(SteppedReplica::tick);
            arrive();
        }
        SteppedReplica leader = world.replicas().stream()
                .filter(SteppedReplica::leads)
                .findFirst()
                .orElseThrow(() -> new Violation("no replica leads"));
        judge(leader.scheduler());
    }

    private long nextDeadline() {
        return world.replicas().stream()
                .mapToLong(SteppedReplica::nextDeadline)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void arrive() {
        for (List<Step> usual = world.usual(); !usual.isEmpty(); usual = world.usual()) {
            if (++steps > MOST_STEPS) {
                throw new Violation("it never comes to rest");
            }
            usual.getFirst().happens().run();
            world.check();
        }
    }

    private void judge(Scheduler scheduler) {
        same("what is recounted differs", List.of(), ClusterAudit.differences(scheduler.cluster()));
        same("bindings that are never over", List.of(), List.copyOf(scheduler.onTheirWay()));
        Map<String, String> places = new TreeMap<>();
        Set<String> waiting = new TreeSet<>();
        for (ServedPod pod : world.server().pods()) {
            if (pod.node().isEmpty()) {
                waiting.add("default/" + pod.name());
            } else {
                places.put("default/" + pod.name(), pod.node());
            }
        }
        same("places of pods", places, placesKnown(scheduler.cluster()));
        same(
                "pods that wait",
                waiting,
                new TreeSet<>(scheduler.queue().pods().stream().map(Pod::key).toList()));
        String state = world.server().pods() + " " + world.server().nodes();
        Set<String> fitting =
                FITTING.computeIfAbsent(state, _ -> fitting(world.server().all()));
        if (!fitting.isEmpty()) {
            throw new Violation(fitting + " wait, though they fit: a wake-up was lost");
        }
        for (ServedPod pod : world.server().pods()) {
            boolean told = pod.condition().contains("\"status\":\"False\"");
            if (pod.node().isEmpty() && !told && !world.server().hasRefusedStatusOf(pod.name())) {
                throw new Violation(pod.name() + " waits, and no condition says why");
            }
        }
    }

    private static Map<String, String> placesKnown(ClusterView cluster) {
        Map<String, String> places = new TreeMap<>();
        for (Pod pod : cluster.placedPods()) {
            int row = cluster.pods().find(pod.key());
            places.put(pod.key(), cluster.nodes().name(cluster.pods().node(row)));
        }
        return places;
    }

    /** Asks an engine that has just been told everything: it has no wake-up to lose. */
    private static Set<String> fitting(List<KubernetesObject> all) {
        Engine judge = new Engine(
                SmallWorld.CONFIGURATION,
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        all.stream()
                .filter(object -> !(object instanceof Pod pod) || pod.isPlaced())
                .forEach(judge::put);
        Set<String> fitting = new TreeSet<>();
        for (KubernetesObject object : all) {
            if (object instanceof Pod pod && !pod.isPlaced() && judge.decide(pod) instanceof Decision.Placed) {
                fitting.add(pod.key());
            }
        }
        return fitting;
    }

    private static void same(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new Violation(what + ": expected " + expected + ", the scheduler has " + actual);
        }
    }
}
