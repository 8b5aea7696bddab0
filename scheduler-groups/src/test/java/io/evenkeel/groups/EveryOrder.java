package io.evenkeel.groups;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Goes through every order, and every end, of pods that come one by one: each is asked about on each node as without a group,
 * and is placed for good before the next one comes.
 */
final class EveryOrder {
    /** Cases with more states are none to be gone through. */
    private static final int MOST_STATES = Integer.getInteger("group.states", 4_000);

    private final Engine engine;
    private final List<String> nodes;
    private final List<List<Pod>> kinds;
    private final int[] left;
    private final int[][] holds;
    private final Set<String> seen = new HashSet<>();
    private int placed;
    private int longest;
    private boolean isTooMuch;

    /** @param pods those of a kind differ in nothing but their names */
    EveryOrder(Engine engine, List<String> nodes, List<Pod> pods) {
        this.engine = engine;
        this.nodes = nodes;
        Map<Object, List<Pod>> alike = new LinkedHashMap<>();
        pods.forEach(pod -> alike.computeIfAbsent(List.of(pod.labels(), pod.spec()), _ -> new ArrayList<>())
                .add(pod));
        kinds = List.copyOf(alike.values());
        left = kinds.stream().mapToInt(List::size).toArray();
        holds = new int[nodes.size()][kinds.size()];
    }

    boolean isTooMuch() {
        return isTooMuch;
    }

    /** How many pods the longest order has. */
    int longest() {
        seen.clear();
        go();
        return longest;
    }

    private void go() {
        longest = Math.max(longest, placed);
        if (isTooMuch || left.length == 0 || !seen.add(Arrays.deepToString(holds))) {
            return;
        }
        isTooMuch = seen.size() > MOST_STATES;
        for (int kind = 0; kind < left.length; kind++) {
            for (int node = 0; node < nodes.size() && left[kind] > 0 && longest < placed + rest(); node++) {
                Pod pod = kinds.get(kind).get(left[kind] - 1);
                if (fits(pod, node)) {
                    put(pod, node);
                    change(kind, node, 1);
                    go();
                    change(kind, node, -1);
                    engine.remove(pod);
                }
            }
        }
    }

    private int rest() {
        int rest = 0;
        for (int each : left) {
            rest += each;
        }
        return rest;
    }

    private void change(int kind, int node, int more) {
        holds[node][kind] += more;
        left[kind] -= more;
        placed += more;
    }

    private boolean fits(Pod pod, int node) {
        return new GroupDecisions(engine.forGroups())
                .decideOn(new Seat(pod, nodes.get(node)), List.of(), decision -> decision instanceof Decision.Placed);
    }

    private void put(Pod pod, int node) {
        engine.put(onNode(pod, nodes.get(node)));
    }

    private static Pod onNode(Pod pod, String node) {
        return PodBuilder.from(pod).nodeName(node).build();
    }

    /** Whether all of them can be in place, each of them legal beside all others. */
    boolean haveAnEnd() {
        seen.clear();
        return isTooMuch || end(0, 0);
    }

    private boolean end(int kind, int from) {
        if (kind == left.length) {
            return isLegalAsAWhole();
        }
        if (left[kind] == 0) {
            return end(kind + 1, 0);
        }
        isTooMuch |= seen.add(Arrays.deepToString(holds)) && seen.size() > MOST_STATES;
        for (int node = from; node < nodes.size() && !isTooMuch; node++) {
            Pod pod = kinds.get(kind).get(left[kind] - 1);
            put(pod, node);
            change(kind, node, 1);
            boolean found = end(kind, node);
            change(kind, node, -1);
            engine.remove(pod);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean isLegalAsAWhole() {
        for (int kind = 0; kind < kinds.size(); kind++) {
            int next = kinds.get(kind).size() - 1;
            for (int node = 0; node < nodes.size(); node++) {
                for (int i = 0; i < holds[node][kind]; i++) {
                    // which of those that are alike is on which node makes no difference
                    Pod pod = kinds.get(kind).get(next--);
                    engine.remove(pod);
                    boolean fits = fits(pod, nodeOf(pod, kind));
                    put(pod, nodeOf(pod, kind));
                    if (!fits) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Those of a kind came in the order of the nodes, the last of the kind first. */
    private int nodeOf(Pod pod, int kind) {
        int number = kinds.get(kind).size() - 1 - kinds.get(kind).indexOf(pod);
        int node = 0;
        for (int before = holds[0][kind]; before <= number; before += holds[node][kind]) {
            node++;
        }
        return node;
    }

    /** How many come one after the other as they are decided without a group; those left over are asked again at the end. */
    static int asUsual(Engine engine, List<Pod> pods) {
        List<Pod> there = new ArrayList<>();
        for (Pod pod : pods) {
            if (engine.decide(pod) instanceof Decision.Placed decided) {
                Pod bound = onNode(pod, engine.cluster().nodes().name(decided.node()));
                engine.put(bound);
                there.add(bound);
            }
        }
        there.forEach(engine::remove);
        return there.size();
    }

    /** How many come in a blind order, each to any node where it fits. */
    int blindly(Random random) {
        List<Pod> there = new ArrayList<>();
        List<Pod> waiting = new ArrayList<>();
        kinds.forEach(waiting::addAll);
        Collections.shuffle(waiting, random);
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Pod pod : List.copyOf(waiting)) {
                List<Integer> fitting = new ArrayList<>();
                for (int node = 0; node < nodes.size(); node++) {
                    if (fits(pod, node)) {
                        fitting.add(node);
                    }
                }
                if (!fitting.isEmpty()) {
                    put(pod, fitting.get(random.nextInt(fitting.size())));
                    there.add(pod);
                    waiting.remove(pod);
                    moved = true;
                }
            }
        }
        there.forEach(engine::remove);
        return there.size();
    }
}
