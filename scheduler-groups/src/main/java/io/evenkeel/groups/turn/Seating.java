package io.evenkeel.groups.turn;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Where the gang sits, on the live cluster under what-ifs, with the turn in which each of its pods takes its seat. Everything is
 * done in steps, each a what-if within the one before; the newest is taken back first.
 *
 * <pre>
 * take(a n1, b n2)      a n1 (1)   b n2 (2)
 * begin(), move(a, n3)  a n3 (1)   b n2 (2)
 * seat(a, n4)           b n2 (2)   a n4 (3)
 * takeBackTo(1)         a n1 (1)   b n2 (2)
 * </pre>
 */
final class Seating implements AutoCloseable {
    static final int NOWHERE = -1;

    private record Before(int pod, int node, long turn) {}

    private record Step(WhatIf whatIf, int log) {}

    private final ClusterState cluster;
    private final Function<PodInfo, NodeVerdicts> judges;
    private final List<PodInfo> pods;
    private final int[] nodeOf;
    private final long[] turnOf;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<Integer, List<Integer>> byNode = new HashMap<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final ArrayList<Before> log = new ArrayList<>();
    private long turns;

    Seating(ClusterState cluster, Function<PodInfo, NodeVerdicts> judges, List<PodInfo> pods) {
        this.cluster = cluster;
        this.judges = judges;
        this.pods = pods;
        nodeOf = new int[pods.size()];
        Arrays.fill(nodeOf, NOWHERE);
        turnOf = new long[pods.size()];
        for (int pod = 0; pod < pods.size(); pod++) {
            numbers.put(pods.get(pod).pod().key(), pod);
        }
    }

    int stepCount() {
        return steps.size();
    }

    /** A step to which all belongs that is done until the next begins. */
    WhatIf begin() {
        WhatIf whatIf = cluster.whatIf();
        steps.push(new Step(whatIf, log.size()));
        return whatIf;
    }

    void takeBackTo(int stepCount) {
        while (steps.size() > stepCount) {
            Step step = steps.pop();
            step.whatIf().close();
            while (log.size() > step.log()) {
                Before before = log.removeLast();
                note(before.pod(), before.node(), before.turn());
            }
        }
    }

    /** Seats the pod there, last of all. */
    void seat(int pod, int node) {
        move(pod, node, ++turns);
    }

    /** Seats the pod there, or nowhere; it keeps its turn, as one that stays in its domains may. */
    void move(int pod, int node) {
        move(pod, node, turnOf[pod]);
    }

    private void move(int pod, int node, long turn) {
        WhatIf whatIf = steps.element().whatIf();
        log.add(new Before(pod, nodeOf[pod], turnOf[pod]));
        if (node == NOWHERE) {
            whatIf.remove(pods.get(pod).pod());
        } else {
            whatIf.place(pods.get(pod), node);
        }
        note(pod, node, turn);
    }

    private void note(int pod, int node, long turn) {
        if (nodeOf[pod] != NOWHERE) {
            sittingOn(nodeOf[pod]).remove(Integer.valueOf(pod));
        }
        if (node != NOWHERE) {
            sittingOn(node).add(pod);
        }
        nodeOf[pod] = node;
        turnOf[pod] = turn;
    }

    private List<Integer> sittingOn(int node) {
        return byNode.computeIfAbsent(node, _ -> new ArrayList<>());
    }

    /** Nobody sits any more. */
    void clear() {
        for (int pod : inOrder()) {
            move(pod, NOWHERE);
        }
    }

    void take(List<Seat> seats) {
        for (Seat seat : seats) {
            seat(
                    numbers.getOrDefault(seat.pod().key(), NOWHERE),
                    cluster.view().nodes().find(seat.node()));
        }
    }

    /** The numbers of those who sit, in their order. */
    List<Integer> inOrder() {
        List<Integer> seated = new ArrayList<>();
        for (int pod = 0; pod < nodeOf.length; pod++) {
            if (nodeOf[pod] != NOWHERE) {
                seated.add(pod);
            }
        }
        seated.sort(Comparator.comparingLong(pod -> turnOf[pod]));
        return seated;
    }

    List<Seat> seats() {
        return inOrder().stream()
                .map(pod -> new Seat(pods.get(pod).pod(), cluster.view().nodes().name(nodeOf[pod])))
                .toList();
    }

    int nodeOf(int pod) {
        return nodeOf[pod];
    }

    boolean fits(int pod, int node) {
        return judges.apply(pods.get(pod)).fitsOn(pods.get(pod), node);
    }

    /**
     * The last one on the node beside whom not all others there may be, or NOWHERE. Of pods of one shape one is asked about:
     * what filters say of a node's room is the same for all.
     */
    int tooManyOn(int node) {
        List<Integer> there = byNode.getOrDefault(node, List.of());
        if (there.isEmpty()) {
            return NOWHERE;
        }
        Set<Object> asked = new HashSet<>(2);
        for (int i = there.size() - 1; i >= 0; i--) {
            int pod = there.get(i);
            if (asked.add(pods.get(pod).interned()) && !fitsWhereItSits(pod)) {
                return pod;
            }
        }
        return NOWHERE;
    }

    private boolean fitsWhereItSits(int pod) {
        try (WhatIf without = cluster.whatIf()) {
            without.remove(pods.get(pod).pod());
            return fits(pod, nodeOf[pod]);
        }
    }

    /** The first node where the pod fits now, or NOWHERE. */
    int firstFor(int pod) {
        NodeVerdicts judge = judges.apply(pods.get(pod));
        judge.ask(pods.get(pod));
        return judge.fitting().first();
    }

    @Override
    public void close() {
        takeBackTo(0);
    }
}
