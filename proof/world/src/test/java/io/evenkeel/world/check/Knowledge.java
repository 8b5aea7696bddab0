package io.evenkeel.world.check;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * That an engine knows of nodes and pods what it was told, no more and no less. Most turns change nothing of it, so it is
 * recounted only where something has been told since the last look, or any of the objects is another one:
 *
 * <pre>
 * at the last look   node-0  node-1 │ pod-7 on node-0 │ pod-8 waits     the objects themselves, which never change
 * now                the same ones, and nothing was told                as right as it was
 * </pre>
 */
final class Knowledge {
    private final String replica;
    private final Set<String> ours;
    private List<Object> lookedAt = List.of();
    private long toldThen = -1;

    /** @param ours the names of the schedulers that it is */
    Knowledge(String replica, Set<String> ours) {
        this.replica = replica;
        this.ours = ours;
    }

    /** Which pod it is. */
    private record Which(String key, String uid) {
        private static Which of(Pod pod) {
            return new Which(pod.key(), pod.meta().uid());
        }

        @Override
        public String toString() {
            return key + " " + uid;
        }
    }

    private record Placed(Which pod, String node) {
        @Override
        public String toString() {
            return pod + " on " + node;
        }
    }

    /** What counts of a node: one that has only been written anew may be known as it was before. */
    private record Offer(String name, Labels labels, Map<String, Long> amounts, boolean cordoned) {
        private static Offer of(Node node) {
            Map<String, Long> amounts = new TreeMap<>();
            node.allocatable().forEach((resource, amount) -> amounts.put(resource, amount.milliValue()));
            return new Offer(node.name(), node.labels(), amounts, node.unschedulable());
        }

        @Override
        public String toString() {
            return name + " " + labels + " " + amounts + (cordoned ? " cordoned" : "");
        }
    }

    void check(Told told, Scheduler scheduler, Collection<OnItsWay> onTheirWay) {
        ClusterView cluster = scheduler.cluster();
        List<Node> nodes = nodes(cluster);
        List<Pod> pods = cluster.placedPods();
        List<String> places = places(cluster, pods);
        List<Pod> queue = scheduler.queue().pods();
        List<Object> now = new ArrayList<>();
        List.of(nodes, pods, places, queue).forEach(all -> {
            now.add(all.size());
            now.addAll(all);
        });
        onTheirWay.forEach(each -> {
            now.add(each.pod());
            now.add(each.node());
        });
        if (told.events() == toldThen && isSame(now, lookedAt)) {
            return;
        }
        checkNodes(told, nodes);
        checkPlaced(told, pods, places, onTheirWay);
        checkWaiting(told, queue, onTheirWay);
        lookedAt = now;
        toldThen = told.events();
    }

    private static List<Node> nodes(ClusterView cluster) {
        List<Node> nodes = new ArrayList<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                nodes.add(cluster.nodes().node(node));
            }
        }
        return nodes;
    }

    private static List<String> places(ClusterView cluster, List<Pod> placed) {
        List<String> places = new ArrayList<>();
        for (Pod pod : placed) {
            int row = cluster.pods().find(pod.key());
            places.add(cluster.nodes().name(cluster.pods().node(row)));
        }
        return places;
    }

    @SuppressWarnings("ReferenceEquality") // one that is itself is as it was, and to compare them is what takes long
    private static boolean isSame(List<Object> now, List<Object> then) {
        boolean same = now.size() == then.size();
        for (int at = 0; at < now.size() && same; at++) {
            Object one = now.get(at);
            Object other = then.get(at);
            boolean isObject = one instanceof Pod || one instanceof Node;
            same = isObject ? one == other : one.equals(other);
        }
        return same;
    }

    private void checkNodes(Told told, List<Node> known) {
        Collection<Node> expected = told.nodes();
        Set<Node> themselves = Collections.newSetFromMap(new IdentityHashMap<>());
        themselves.addAll(expected);
        if (known.size() != expected.size() || !themselves.containsAll(known)) {
            same("nodes", offers(expected), offers(known));
        }
    }

    private static Set<Offer> offers(Collection<Node> nodes) {
        Set<Offer> offers = new HashSet<>();
        nodes.forEach(node -> offers.add(Offer.of(node)));
        return offers;
    }

    private void checkPlaced(Told told, List<Pod> pods, List<String> places, Collection<OnItsWay> onTheirWay) {
        Set<Placed> placed = new HashSet<>();
        for (int at = 0; at < pods.size(); at++) {
            placed.add(new Placed(Which.of(pods.get(at)), places.get(at)));
        }
        Set<Placed> expected = new HashSet<>();
        onTheirWay.forEach(each -> expected.add(new Placed(Which.of(each.pod()), each.node())));
        for (Pod pod : told.pods()) {
            if (pod.isPlaced()) {
                expected.add(new Placed(Which.of(pod), pod.spec().nodeName()));
            }
        }
        same("pods in place", expected, placed);
    }

    private void checkWaiting(Told told, List<Pod> queue, Collection<OnItsWay> onTheirWay) {
        Set<String> uids = new HashSet<>();
        onTheirWay.forEach(each -> uids.add(each.pod().meta().uid()));
        // it leaves the queue when its turn comes
        told.pods().stream()
                .filter(pod -> pod.meta().terminating())
                .forEach(pod -> uids.add(pod.meta().uid()));
        same("pods that wait", waiting(told.pods(), uids), waiting(queue, uids));
    }

    private Set<Which> waiting(Collection<Pod> pods, Set<String> others) {
        Set<Which> waiting = new HashSet<>();
        for (Pod pod : pods) {
            boolean waits = !pod.isPlaced()
                    && ours.contains(pod.spec().schedulerName())
                    && !others.contains(pod.meta().uid());
            if (waits) {
                waiting.add(Which.of(pod));
            }
        }
        return waiting;
    }

    private void same(String what, Set<?> expected, Set<?> actual) {
        if (!expected.equals(actual)) {
            throw new Violation(what + ": " + replica + " was told of " + without(expected, actual)
                    + ", and instead has " + without(actual, expected));
        }
    }

    private static Set<String> without(Set<?> some, Set<?> others) {
        Set<String> left = new TreeSet<>();
        some.forEach(each -> {
            if (!others.contains(each)) {
                left.add(each.toString());
            }
        });
        return left;
    }
}
