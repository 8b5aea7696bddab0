package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.MoveSearch.Effort;
import io.evenkeel.whatif.rebalance.Workload.Counter;
import io.evenkeel.whatif.rebalance.Workload.SpreadRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The fewest moves of a workload as a flow. What is bounded are numbers of pods: those of a domain by a spread constraint or by the
 * anti-affinity of pods to their own kind, those of a node by its room, and those of a class (pods that count alike and may go to the
 * same nodes), as they stay as many. Where the bounded sets nest in two chains, each from coarse to fine, pods flow down the one and
 * up the other, and the fewest arrivals that keep all bounds are the cheapest flow:
 *
 * <pre>{@code
 *              chain                      places                   other chain
 *          ┌─▶ rack 1 ─┬─▶ pods stay on n1: nothing a pod ─┬─▶ n1 ──▶ zone a ─┐
 *   all ───┤           └─▶ pods come to n1: 1 a pod ───────┘                  ├──▶ all
 *          └─▶ rack 2 ──▶ …                                                   ┘
 * }</pre>
 *
 * <p>So zones and host names are exact, and so are two keys that cross, as long as all pods are of one class. A set that fits into
 * neither chain is left out, as are constraints that bound no number: then there are no fewer moves than the flow says, but there may
 * have to be more. Nodes that differ in nothing of this are one place, which takes as many times as much.
 */
final class MoveFlow {
    /** No moves keep all bounds. */
    static final int IMPOSSIBLE = Integer.MAX_VALUE;

    private static final int NO_SET = -1;
    private static final int UNSEEN = -2;

    /** So many combinations of levels are tried; of more, not each apart. */
    private static final int MOST_LEVELS = 64;

    /** Sets of pods: each pod of a class on a node is in one of them, or in none. */
    private final class Family {
        /** Which classes are in them; empty where each class is a set of its own. */
        final BitSet counted;
        /** By node, its set. */
        final int[] setOf;
        /** By set, its pods that stay where they are, how many nodes it has, and how many pods it may have, those that stay included. */
        final int[] staying;

        final int[] size;
        final int[] least;
        final int[] most;

        Family(BitSet counted, int[] setOf, int[] staying) {
            this.counted = counted;
            this.setOf = setOf;
            this.staying = staying;
            size = new int[staying.length];
            least = new int[staying.length];
            most = new int[staying.length];
            for (int set : setOf) {
                if (set != NO_SET) {
                    size[set]++;
                }
            }
        }

        int setOf(int of, int node) {
            return counted.isEmpty() ? of : counted.get(of) ? setOf[node] : NO_SET;
        }

        long sets() {
            return counted.isEmpty()
                    ? staying.length
                    : Arrays.stream(size).filter(nodes -> nodes > 0).count();
        }

        /** Whether it bounds the pods of this node alone, so that nodes with the same bounds are alike. */
        boolean isAlone(int node) {
            return setOf.length > 0 && setOf[node] != NO_SET && size[setOf[node]] == 1;
        }

        /** Whether each of its sets is within one of the other's, or apart from all. */
        boolean isFinerThan(Family other) {
            int[] within = new int[staying.length];
            Arrays.fill(within, UNSEEN);
            for (int of = 0; of < classes.size(); of++) {
                for (int node = 0; node < nodes; node++) {
                    int set = setOf(of, node);
                    if (set != NO_SET) {
                        int outer = other.setOf(of, node);
                        if (within[set] != UNSEEN && within[set] != outer) {
                            return false;
                        }
                        within[set] = outer;
                    }
                }
            }
            return true;
        }
    }

    /** A spread constraint: all of its domains reach a level, and none is above it by more than the skew. */
    private record Spread(Family family, SpreadRule rule, int lowest, int highest) {
        void reach(int lower, int upper) {
            for (int domain = 0; domain < family.least.length; domain++) {
                family.least[domain] = rule.counter().isDomain[domain] ? lower : 0;
                family.most[domain] = Math.min(upper + Math.min(rule.maxSkew(), MinCostFlow.MUCH), MinCostFlow.MUCH);
            }
        }
    }

    /** Nodes that are alike. */
    private record Place(List<Integer> nodes) {
        int first() {
            return nodes.getFirst();
        }
    }

    /** A spread constraint with the levels that its domains may reach. */
    private record Levelled(Spread spread, int lower, int upper) {
        void reach() {
            spread.reach(lower, upper);
        }
    }

    /**
     * The cheapest flow.
     *
     * @param goal by place and class, how many pods are there then
     */
    private record Best(int moves, int[][] goal, List<Levelled> spreads) {}

    private final Workload workload;
    private final Effort effort;
    private final int nodes;
    /** The kinds of each class. */
    private final List<List<Integer>> classes;
    /** By class and node, the pods that may move, and whether they may stay, and more may come. */
    private final int[][] pods;

    private final boolean[][] mayStay;
    private final boolean[][] mayCome;
    private final List<Family> families = new ArrayList<>();
    private final Map<Family, Spread> spreads = new LinkedHashMap<>();
    private final List<Place> places;

    /**
     * @param targets by kind, where a pod may go; nowhere for kinds that may not move
     * @param slots by node, for how many pods that may move there is room
     */
    MoveFlow(Workload workload, boolean[][] targets, int[] slots, Effort effort) {
        this.workload = workload;
        this.effort = effort;
        nodes = workload.nodes.length;
        int[][] ofKind = workload.podsByKind();
        workload.eachOf(workload::mayMove, workload::take);
        Map<List<Object>, List<Integer>> alike = new LinkedHashMap<>();
        BitSet[] wrong = new BitSet[ofKind.length];
        for (int kind = 0; kind < ofKind.length; kind++) {
            if (workload.mayMove(kind)) {
                wrong[kind] = wrong(kind, ofKind[kind]);
                alike.computeIfAbsent(likeness(kind, targets[kind], wrong[kind]), _ -> new ArrayList<>())
                        .add(kind);
            }
        }
        classes = List.copyOf(alike.values());
        pods = new int[classes.size()][nodes];
        mayStay = new boolean[classes.size()][nodes];
        mayCome = new boolean[classes.size()][];
        int[] movable = new int[nodes];
        for (int of = 0; of < pods.length; of++) {
            mayCome[of] = targets[classes.get(of).getFirst()];
            for (int kind : classes.get(of)) {
                for (int node = 0; node < nodes; node++) {
                    pods[of][node] += ofKind[kind][node];
                    movable[node] += ofKind[kind][node];
                    mayStay[of][node] |= ofKind[kind][node] > 0 && !wrong[kind].get(node);
                }
            }
        }
        if (classes.size() > 1) {
            addClasses();
        }
        workload.spreadRules.forEach(this::addSpread);
        workload.exclusive.forEach(counter -> Arrays.fill(add(counter).most, 1));
        addRoom(movable, slots);
        workload.eachOf(workload::mayMove, workload::put);
        families.sort(Comparator.comparingLong(Family::sets));
        places = places();
    }

    /** The nodes where pods of the kind are and can never be right. */
    private BitSet wrong(int kind, int[] there) {
        BitSet wrong = new BitSet();
        for (int node = 0; node < nodes; node++) {
            if (there[node] > 0) {
                workload.put(kind, node);
                wrong.set(node, workload.isWrongFor(kind, node));
                workload.take(kind, node);
            }
        }
        return wrong;
    }

    private List<Object> likeness(int kind, boolean[] targets, BitSet wrong) {
        BitSet open = new BitSet();
        for (int node = 0; node < nodes; node++) {
            open.set(node, targets[node]);
        }
        return List.of(
                workload.spreadRules.stream()
                        .map(rule -> rule.counter().weights[kind])
                        .toList(),
                workload.exclusive.stream()
                        .map(counter -> counter.weights[kind])
                        .toList(),
                open,
                wrong);
    }

    private void addClasses() {
        Family family = new Family(new BitSet(), new int[0], new int[classes.size()]);
        for (int of = 0; of < pods.length; of++) {
            family.least[of] = Arrays.stream(pods[of]).sum();
            family.most[of] = family.least[of];
        }
        families.add(family);
    }

    private Family add(Counter counter) {
        int[] setOf = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            setOf[node] = counter.isCounted[node] ? counter.domainOf[node] : NO_SET;
        }
        BitSet counted = new BitSet();
        for (int of = 0; of < classes.size(); of++) {
            counted.set(of, counter.weights[classes.get(of).getFirst()] != 0);
        }
        Family family = new Family(counted, setOf, counter.sums.clone());
        if (!counted.isEmpty()) {
            families.add(family);
        }
        return family;
    }

    private void addSpread(SpreadRule rule) {
        Family family = add(rule.counter());
        int staying = Arrays.stream(family.staying).sum();
        int counted = 0;
        int leaving = 0;
        for (int of = 0; of < classes.size(); of++) {
            if (family.counted.get(of)) {
                counted += Arrays.stream(pods[of]).sum();
                for (int node = 0; node < nodes; node++) {
                    boolean mayLeave = mayCome[of][node] || mayStay[of][node];
                    leaving += mayLeave && family.setOf[node] == NO_SET ? 1 : 0;
                }
            }
        }
        int domains = rule.counter().domains;
        int fewest = staying + (leaving > 0 ? 0 : counted);
        int highest = rule.lacksDomains() || domains == 0 ? 0 : (staying + counted) / domains;
        int lowest = rule.lacksDomains() || domains == 0
                ? 0
                : Math.clamp((fewest + domains - 1) / domains - rule.maxSkew(), 0, highest);
        spreads.put(family, new Spread(family, rule, lowest, highest));
    }

    /** Pods that stay need no room; where pods come, all must have some. */
    private void addRoom(int[] movable, int[] slots) {
        BitSet all = new BitSet();
        all.set(0, classes.size());
        Family family = new Family(all, IntStream.range(0, nodes).toArray(), new int[nodes]);
        int most = Arrays.stream(movable).sum();
        for (int node = 0; node < nodes; node++) {
            family.most[node] = Math.clamp(slots[node], movable[node], most);
        }
        families.add(family);
    }

    private List<Place> places() {
        Map<List<Integer>, Place> alike = new LinkedHashMap<>();
        for (int node = 0; node < nodes; node++) {
            List<Integer> likeness = new ArrayList<>();
            for (Family family : families) {
                if (family.isAlone(node)) {
                    int set = family.setOf[node];
                    likeness.add(-family.staying[set] - 1);
                    likeness.add(spreads.containsKey(family) ? NO_SET : family.most[set]);
                } else if (family.setOf.length > 0) {
                    likeness.add(family.setOf[node]);
                    likeness.add(0);
                }
            }
            for (int of = 0; of < classes.size(); of++) {
                likeness.add(pods[of][node]);
                likeness.add((mayStay[of][node] ? 1 : 0) + (mayCome[of][node] ? 2 : 0));
            }
            alike.computeIfAbsent(likeness, _ -> new Place(new ArrayList<>()))
                    .nodes()
                    .add(node);
        }
        return List.copyOf(alike.values());
    }

    /** No fewer moves than so many keep all constraints, as far as the effort lasts. */
    int fewest() {
        if (classes.isEmpty()) {
            return 0;
        }
        Chains chains = new Chains(families);
        int fewest = chains.best().map(Best::moves).orElse(IMPOSSIBLE);
        for (Family left : chains.leftOut) {
            fewest = Math.max(
                    fewest, new Chains(withFirst(left)).best().map(Best::moves).orElse(IMPOSSIBLE));
        }
        return effort.isSpent() ? 0 : fewest;
    }

    private List<Family> withFirst(Family first) {
        List<Family> others = new ArrayList<>(families);
        others.remove(first);
        others.addFirst(first);
        return others;
    }

    /** Makes the fewest moves that keep what fits into the chains, on the snapshot too; returns the pods moved, none if there are none. */
    List<Integer> make(ClusterSnapshot snapshot) {
        List<Family> order = families.stream()
                .filter(family -> family.counted.isEmpty())
                .findFirst()
                .map(this::withFirst)
                .orElse(families);
        return new Chains(order)
                .best()
                .map(best -> new Making(snapshot, best).run())
                .orElse(List.of());
    }

    /** Two chains of families, each from coarse to fine, and the flow through them. */
    private final class Chains {
        final List<Family> down = new ArrayList<>();
        final List<Family> up = new ArrayList<>();
        final List<Family> leftOut = new ArrayList<>();
        final List<Spread> levelled;

        Chains(List<Family> coarseFirst) {
            for (Family family : coarseFirst) {
                if (down.stream().allMatch(family::isFinerThan)) {
                    down.add(family);
                } else if (up.stream().allMatch(family::isFinerThan)) {
                    up.add(family);
                } else {
                    leftOut.add(family);
                }
            }
            levelled = spreads.values().stream()
                    .filter(spread -> !spread.family().counted.isEmpty())
                    .filter(spread -> !leftOut.contains(spread.family()))
                    .toList();
        }

        Optional<Best> best() {
            return best(0, new ArrayList<>(), 1);
        }

        /** The best of all levels from this rule on; where there would be too many, a domain may be at any. */
        private Optional<Best> best(int rule, List<Levelled> levels, long combinations) {
            if (rule == levelled.size()) {
                levels.forEach(Levelled::reach);
                return flow(List.copyOf(levels));
            }
            Spread spread = levelled.get(rule);
            long more = spread.highest() - spread.lowest() + 1L;
            boolean isEachTried = combinations * more <= MOST_LEVELS;
            Optional<Best> best = Optional.empty();
            for (int level = spread.lowest(); level <= (isEachTried ? spread.highest() : spread.lowest()); level++) {
                levels.add(new Levelled(spread, level, isEachTried ? level : spread.highest()));
                Optional<Best> found = best(rule + 1, levels, isEachTried ? combinations * more : combinations);
                levels.removeLast();
                best = found.isPresent()
                                && (best.isEmpty()
                                        || found.get().moves() < best.get().moves())
                        ? found
                        : best;
            }
            return best;
        }

        private Optional<Best> flow(List<Levelled> levels) {
            MinCostFlow flow = new MinCostFlow();
            int start = flow.vertex();
            int end = flow.vertex();
            Way way = new Way(flow);
            int[][] stay = new int[places.size()][classes.size()];
            int[][] come = new int[places.size()][classes.size()];
            int all = 0;
            for (int place = 0; place < stay.length; place++) {
                for (int of = 0; of < classes.size(); of++) {
                    int size = places.get(place).nodes().size();
                    int node = places.get(place).first();
                    int there = size * pods[of][node];
                    all += there;
                    int from = way.along(down, true, start, place, of, there);
                    int to = way.along(up, false, end, place, of, there);
                    stay[place][of] = flow.arc(from, to, 0, mayStay[of][node] ? there : 0, 0);
                    flow.begin(stay[place][of], there);
                    come[place][of] = flow.arc(from, to, 0, mayCome[of][node] ? MinCostFlow.MUCH : 0, 1);
                }
            }
            int back = flow.arc(end, start, all, all, 0);
            flow.begin(back, all);
            int moves = flow.run(effort);
            if (moves == MinCostFlow.NONE || moves == MinCostFlow.UNKNOWN) {
                return Optional.empty();
            }
            for (int place = 0; place < stay.length; place++) {
                for (int of = 0; of < classes.size(); of++) {
                    stay[place][of] = flow.flow(stay[place][of]) + flow.flow(come[place][of]);
                }
            }
            return Optional.of(new Best(moves, stay, levels));
        }
    }

    /** The ways through the chains of a flow: of a set that bounds one node alone, the place has as many times as much. */
    private final class Way {
        private final MinCostFlow flow;
        private final Map<List<Object>, int[]> arcs = new HashMap<>();

        Way(MinCostFlow flow) {
            this.flow = flow;
        }

        /** The finest vertex of a chain for a class at a place. */
        int along(List<Family> chain, boolean isDown, int root, int place, int of, int there) {
            int at = root;
            int node = places.get(place).first();
            for (Family family : chain) {
                int set = family.setOf(of, node);
                if (set == NO_SET) {
                    continue;
                }
                boolean isAlone = family.isAlone(node);
                int times = isAlone ? places.get(place).nodes().size() : 1;
                int outer = at;
                int[] arc = arcs.computeIfAbsent(List.of(family, isAlone, isAlone ? place : set), _ -> {
                    int vertex = flow.vertex();
                    int least = bound(times, Math.max(0, family.least[set] - family.staying[set]));
                    int most = bound(times, family.most[set] - family.staying[set]);
                    return new int[] {
                        vertex,
                        isDown ? flow.arc(outer, vertex, least, most, 0) : flow.arc(vertex, outer, least, most, 0)
                    };
                });
                flow.begin(arc[1], there);
                at = arc[0];
            }
            return at;
        }

        private static int bound(int times, int each) {
            return (int) Math.min(MinCostFlow.MUCH, (long) times * each);
        }
    }

    /** Makes the moves of a flow: takes off the pods that leave, and puts each where the scheduler would of what the flow leaves open. */
    private final class Making {
        private static final int NOWHERE = -1;

        /** A pod of a class is to come to a place. */
        private record Coming(int of, Place place) {}

        private final ClusterSnapshot snapshot;
        private final Best best;
        /** By class and node, the pods that may move, the last by name first. */
        private final List<Map<Integer, Deque<Integer>>> there = new ArrayList<>();

        private final int[][] now;
        private final List<Deque<Integer>> underway = new ArrayList<>();
        private final List<Integer> moved = new ArrayList<>();

        Making(ClusterSnapshot snapshot, Best best) {
            this.snapshot = snapshot;
            this.best = best;
            best.spreads().forEach(Levelled::reach);
            now = new int[classes.size()][];
            int[] classOf = new int[workload.kinds.size()];
            Arrays.fill(classOf, NO_SET);
            for (int of = 0; of < now.length; of++) {
                now[of] = pods[of].clone();
                there.add(new HashMap<>());
                underway.add(new ArrayDeque<>());
                for (int kind : classes.get(of)) {
                    classOf[kind] = of;
                }
            }
            IntStream.range(0, workload.pods.length)
                    .filter(pod -> classOf[workload.kindOf[pod]] != NO_SET)
                    .boxed()
                    .sorted(Comparator.comparing((Integer pod) -> workload.pods[pod].key())
                            .reversed())
                    .forEach(pod -> there.get(classOf[workload.kindOf[pod]])
                            .computeIfAbsent(workload.nodeOf[pod], _ -> new ArrayDeque<>())
                            .add(pod));
        }

        List<Integer> run() {
            List<Coming> waiting = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                for (int of = 0; of < now.length; of++) {
                    int more = best.goal()[i][of] - place.nodes().size() * pods[of][place.first()];
                    for (int left = 0; left < -more; left++) {
                        leave(of, place);
                    }
                    waiting.addAll(Collections.nCopies(Math.max(0, more), new Coming(of, place)));
                }
            }
            while (!waiting.isEmpty()) {
                Set<Coming> inVain = new HashSet<>();
                if (!waiting.removeIf(
                        coming -> !inVain.contains(coming) && (comes(coming, false) || !inVain.add(coming)))) {
                    comes(waiting.removeFirst(), true);
                }
            }
            return moved;
        }

        /** From the node that has the most. */
        private void leave(int of, Place place) {
            int from = place.nodes().stream()
                    .filter(node -> now[of][node] > 0)
                    .max(Comparator.comparingInt(this::movable))
                    .orElseThrow();
            int pod = there.get(of).getOrDefault(from, new ArrayDeque<>()).remove();
            underway.get(of).add(pod);
            now[of][from]--;
            snapshot.preemptPods(List.of(workload.pods[pod]));
            workload.take(workload.kindOf[pod], from);
        }

        private int movable(int node) {
            int movable = 0;
            for (int[] each : now) {
                movable += each[node];
            }
            return movable;
        }

        /** Whether it came; where no node lets it in yet, only if it must. */
        private boolean comes(Coming coming, boolean mustCome) {
            List<Integer> open = coming.place().nodes().stream()
                    .filter(node -> isWithin(coming.of(), node, 1))
                    .toList();
            List<Integer> lacking = open.stream()
                    .filter(node -> !isWithin(coming.of(), node, 0))
                    .toList();
            NodeSet among = new NodeSet();
            (lacking.isEmpty() ? open : lacking).forEach(node -> among.add(workload.nodes[node]));
            int pod = underway.get(coming.of()).element();
            int chosen = among.isEmpty()
                    ? NOWHERE
                    : snapshot.ask(workload.pods[pod], (judge, info) -> judge.choose(among, info));
            if (chosen < 0 && !mustCome) {
                return false;
            }
            int to = chosen >= 0
                    ? workload.placeOf(chosen)
                    : open.isEmpty() ? coming.place().first() : open.getFirst();
            underway.get(coming.of()).remove();
            now[coming.of()][to]++;
            workload.nodeOf[pod] = to;
            workload.put(workload.kindOf[pod], to);
            snapshot.place(workload.pods[pod], workload.nameOf(to));
            moved.add(pod);
            return true;
        }

        /** Whether the bounds of the node alone allow one more, or, for none more, whether it has as many as it must. */
        private boolean isWithin(int of, int node, int more) {
            for (Family family : families) {
                if (family.isAlone(node) && family.counted.get(of)) {
                    int set = family.setOf[node];
                    int has = family.staying[set] + more;
                    for (int each = 0; each < now.length; each++) {
                        has += family.counted.get(each) ? now[each][node] : 0;
                    }
                    if (more > 0 ? has > family.most[set] : has < family.least[set]) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
