package io.evenkeel.whatif.drain;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;

import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.Labels;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.Standing;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.drain.DrainPlan.Impossible;
import io.evenkeel.whatif.drain.DrainPlan.NotFound;
import io.evenkeel.whatif.drain.DrainPlan.Planned;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.drain.Emptying.Leaving;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the order in which nodes can be drained. A step cordons a node and evicts its pods in waves: no more at once than their
 * budgets let go, and the next wave once the successors of the last are in place. Then the node is away until it has to come back,
 * empty and as it was, so that no more are away than may be.
 *
 * <ol>
 *   <li>What stands in the way of every order is looked for first, and is the proof of a contradiction.
 *   <li>The nodes are drained in turn, the largest waves first, and the scheduler chooses where the successors go. A node that
 *       cannot be drained yet is tried again after the others.
 *   <li>Where no node can be drained so, all orders, waves and choices of nodes are tried, as far as the budget of tries goes.
 * </ol>
 */
public final class DrainPlanner {

    /**
     * What is asked.
     *
     * @param nodes to be drained, in the order in which they are tried
     * @param mostAway how many nodes may be away at once
     * @param surge nodes that are there meanwhile, and are drained at last
     * @param goesUnowned whether pods that nothing makes again may go
     */
    public record Request(List<String> nodes, int mostAway, List<Node> surge, boolean goesUnowned) {
        public Request {
            nodes = List.copyOf(nodes);
            surge = List.copyOf(surge);
        }
    }

    private static final int FEWEST_TRIES = 2_000;
    private static final int MOST_TRIES = 500_000;
    private static final long NODES_LOOKED_AT = 20_000_000;

    private final ClusterSnapshot cluster;
    private final Request request;
    private final EvictionBudgets budgets;
    private final Standing standing;
    /** Whether nodes are taken away once they are empty, and do not come back. */
    private final boolean areGone;

    private final List<Step> steps = new ArrayList<>();
    /** Those that have been away longest first. */
    private final Deque<String> away = new ArrayDeque<>();

    private final Map<String, Node> asTheyWere = new HashMap<>();
    /** What stood in the way of the first node that could not be drained. */
    private String obstacle = "";

    private DrainPlanner(
            ClusterSnapshot cluster, Request request, EvictionBudgets budgets, Standing standing, boolean areGone) {
        this.cluster = cluster;
        this.request = request;
        this.budgets = budgets;
        this.standing = standing;
        this.areGone = areGone;
    }

    /** The plan; the cluster is afterwards as it was. */
    public static DrainPlan plan(ClusterSnapshot cluster, Request request) {
        try (EvictionBudgets budgets = new EvictionBudgets(cluster.view());
                Standing standing = new Standing(cluster);
                Transaction _ = cluster.begin()) {
            return new DrainPlanner(cluster, request, budgets, standing, false).plan();
        }
    }

    /**
     * Nodes that can go for good, one after the other.
     *
     * @param areMost whether no more of them can
     * @param tries that it took
     */
    record Gone(List<Step> steps, boolean areMost, long tries) {}

    /**
     * Looks for the most of these nodes that can go for good. The cluster is afterwards as it was; what the budgets have been told is
     * not taken back.
     *
     * @param known a way that is known
     */
    static Gone mostGone(
            ClusterSnapshot cluster,
            EvictionBudgets budgets,
            Standing standing,
            List<String> nodes,
            List<Step> known,
            long tries) {
        Request request = new Request(nodes, 1, List.of(), false);
        DrainPlanner planner = new DrainPlanner(cluster, request, budgets, standing, true);
        Search search = planner.new Search(nodes, nodes.size(), tries);
        search.longest = known;
        boolean all = known.size() == nodes.size() || search.run();
        return new Gone(search.longest, all || search.isOver(), search.tries);
    }

    private Optional<String> contradiction() {
        for (String node : request.nodes()) {
            try (Transaction _ = cluster.begin()) {
                Optional<String> found = new Emptying(cluster, budgets, standing, node, List.of(), away)
                        .contradiction(request.goesUnowned());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private DrainPlan plan() {
        Optional<String> contradiction = contradiction();
        if (contradiction.isPresent()) {
            return new Impossible(contradiction.get());
        }
        request.surge().forEach(cluster::putNode);
        try (Transaction _ = cluster.begin()) {
            if (inTurn()) {
                return new Planned(steps);
            }
        }
        away.clear();
        steps.clear();
        budgets.reset();
        Search search = new Search(request.nodes(), Integer.MAX_VALUE, triesWorthwhile());
        if (search.run()) {
            return new Planned(steps);
        }
        return search.isOver()
                ? new Impossible(obstacle + "; every other order was tried, and every other choice of nodes")
                : new NotFound("no plan was found in " + search.tries + " tries, and there may be one: " + obstacle);
    }

    // nodes

    private void cordon(String name) {
        Node node = cluster.view().node(name).orElseThrow();
        asTheyWere.putIfAbsent(name, node);
        cluster.putNode(NodeBuilder.from(node).cordoned().build());
    }

    /** The nodes of the surge take no more pods. */
    private List<String> surgeGoes() {
        request.surge().forEach(node -> cordon(node.name()));
        return request.surge().stream().map(Node::name).toList();
    }

    /** Those that have been away longest come back, until no more than so many are. */
    private List<String> comeBack(int stillAway) {
        List<String> back = new ArrayList<>();
        while (away.size() > stillAway) {
            String name = away.removeFirst();
            comesBack(name);
            back.add(name);
        }
        return back;
    }

    private void comesBack(String name) {
        cluster.putNode(Objects.requireNonNull(asTheyWere.get(name)));
    }

    private void areAwayAgain(List<String> back) {
        back.reversed().forEach(away::addFirst);
    }

    /** How many may stay away while one more goes, as many as possible first. */
    private IntStream stillAway() {
        int most = Math.min(away.size(), request.mostAway() - 1);
        return IntStream.rangeClosed(0, most).map(fewer -> most - fewer);
    }

    private boolean isOfSurge(String node) {
        return request.surge().stream().anyMatch(each -> each.name().equals(node));
    }

    private Emptying emptying(String node, List<String> back) {
        Emptying emptying = new Emptying(cluster, budgets, standing, node, back, away);
        cordon(node);
        return emptying;
    }

    private void isEmptied(Emptying emptying) {
        steps.add(emptying.step());
        if (areGone || isOfSurge(emptying.node)) {
            cluster.removeNode(emptying.node);
        } else {
            away.addLast(emptying.node);
        }
    }

    // the nodes in turn

    private boolean inTurn() {
        return drainAll(request.nodes()) && drainAll(surgeGoes());
    }

    private boolean drainAll(List<String> nodes) {
        Set<String> left = new LinkedHashSet<>(nodes);
        while (!left.isEmpty()) {
            List<String> drained = left.stream().filter(this::drain).toList();
            if (drained.isEmpty()) {
                if (!new Search(List.copyOf(left), 1, triesWorthwhile()).run()) {
                    return false;
                }
                make(steps.getLast());
                drained = List.of(steps.getLast().node());
            }
            drained.forEach(left::remove);
        }
        return true;
    }

    /** Makes a step that was found, of which only the cluster does not know yet. */
    private void make(Step step) {
        step.back().forEach(this::comesBack);
        Emptying emptying = emptying(step.node(), step.back());
        emptying.all.forEach(emptying::isGone);
        Map<String, String> targets = new HashMap<>();
        step.moves().forEach(move -> targets.put(move.pod().key(), move.to()));
        emptying.all.forEach(each ->
                each.successor().ifPresent(pod -> cluster.place(pod, targets.getOrDefault(pod.key(), ""))));
        if (isOfSurge(step.node())) {
            cluster.removeNode(step.node());
        }
    }

    private long triesWorthwhile() {
        return Math.clamp(NODES_LOOKED_AT / Math.max(1, cluster.view().nodes().count()), FEWEST_TRIES, MOST_TRIES);
    }

    private boolean drain(String node) {
        return stillAway().anyMatch(stillAway -> {
            try (Transaction tried = cluster.begin()) {
                List<String> back = comeBack(stillAway);
                Emptying emptying = emptying(node, back);
                Optional<String> problem = emptying.asScheduled();
                if (problem.isEmpty()) {
                    isEmptied(emptying);
                    tried.commit();
                    return true;
                }
                obstacle = obstacle.isEmpty() ? problem.get() : obstacle;
                emptying.takeBack();
                areAwayAgain(back);
                return false;
            }
        });
    }

    /**
     * Tries all orders, waves, and nodes for the successors, depth first: what the scheduler would choose, and the largest waves, come
     * first. States that were tried before are known by their hash.
     */
    private final class Search {
        /** Each move is some frames deep, and each step some more. */
        private static final int MOST_MOVES = 1_000;

        private static final int MOST_STEPS = 200;

        private static final String NOWHERE = "";

        /** Pods that are the same to all rules; a state is known by how many of each are where. */
        private record Kind(
                String namespace, Labels labels, PodSpec spec, Optional<OwnerReference> owner, boolean isHealthy) {
            static Kind of(Pod pod) {
                return new Kind(
                        pod.namespace(),
                        pod.labels(),
                        pod.spec().withNodeName(""),
                        pod.meta().controller(),
                        EvictionBudgets.isHealthy(pod));
            }
        }

        private final List<String> nodes;
        private final int stepsBefore = steps.size();
        private final int stepsWanted;
        private final long budget;
        private final Set<Long> dead = new HashSet<>();
        private final Map<Kind, Integer> kinds = new HashMap<>();
        private final Map<String, Integer> places = new HashMap<>();
        private long tries;
        private int moves;
        private boolean isCut;
        /** The sum over all pods that were moved. */
        private long whereabouts;
        /** Of nodes that go for good, the most so far. */
        private List<Step> longest = List.of();

        Search(List<String> nodes, int stepsWanted, long budget) {
            this.nodes = nodes;
            this.stepsWanted = stepsWanted;
            this.budget = budget;
        }

        /** Appends the steps that it finds; the cluster stays as it is. */
        boolean run() {
            try (Transaction _ = cluster.begin()) {
                return next();
            }
        }

        boolean isOver() {
            return !isCut;
        }

        private boolean next() {
            if (areGone && steps.size() > longest.size()) {
                longest = List.copyOf(steps);
            }
            if (steps.size() - stepsBefore == stepsWanted) {
                return true;
            }
            Set<String> drained = steps.stream().map(Step::node).collect(Collectors.toSet());
            List<String> left =
                    nodes.stream().filter(node -> !drained.contains(node)).toList();
            if (left.isEmpty()) {
                left = request.surge().stream()
                        .map(Node::name)
                        .filter(node -> !drained.contains(node))
                        .toList();
                left.forEach(DrainPlanner.this::cordon);
            }
            if (areGone && steps.size() + left.size() <= longest.size()) {
                return false;
            }
            return left.isEmpty()
                    || isNew(mix(left.hashCode(), 1)) && left.stream().anyMatch(this::empties);
        }

        private boolean empties(String node) {
            isCut = isCut || ++tries > budget || steps.size() - stepsBefore > MOST_STEPS;
            return !isCut
                    && stillAway().anyMatch(stillAway -> {
                        try (Transaction _ = cluster.begin()) {
                            List<String> back = comeBack(stillAway);
                            if (wave(emptying(node, back))) {
                                return true;
                            }
                            areAwayAgain(back);
                            return false;
                        }
                    });
        }

        private boolean wave(Emptying emptying) {
            if (!isNew(mix(emptying.node.hashCode(), emptying.before.hashCode()))) {
                return false;
            }
            emptying.waves.add(new ArrayList<>());
            if (evicts(emptying, 0)) {
                return true;
            }
            emptying.waves.removeLast();
            return false;
        }

        /** Evicts some of the remaining pods from this one on, as many as possible first, and then waits for their successors. */
        private boolean evicts(Emptying emptying, int from) {
            for (int i = from; i < emptying.remaining.size() && !isCut; i++) {
                Leaving each = emptying.remaining.get(i);
                if (!EvictionBudgets.lets(each.pod(), each.budgets()) || isLikeOneOf(emptying.remaining, from, i)) {
                    continue;
                }
                try (Transaction _ = cluster.begin()) {
                    emptying.evict(each);
                    emptying.remaining.remove(i);
                    emptying.missing.add(each);
                    moves(each.pod(), emptying.node, NOWHERE);
                    if (evicts(emptying, i)) {
                        return true;
                    }
                    moves(each.pod(), NOWHERE, emptying.node);
                    emptying.missing.removeLast();
                    emptying.remaining.add(i, each);
                    EvictionBudgets.goesNot(each.pod(), each.budgets());
                }
            }
            return emptying.missing.isEmpty()
                    ? emptying.remaining.isEmpty() && isEmptied(emptying)
                    : successorsCome(emptying);
        }

        /** Whether a pod that was passed over could go in this one's place. */
        private boolean isLikeOneOf(List<Leaving> pods, int from, int which) {
            int kind = kindOf(pods.get(which).pod());
            return pods.subList(from, which).stream().anyMatch(other -> kindOf(other.pod()) == kind);
        }

        private boolean successorsCome(Emptying emptying) {
            List<Leaving> awaited =
                    emptying.missing.stream().filter(Leaving::isMadeAgain).toList();
            if (awaited.isEmpty()) {
                List<Leaving> gone = List.copyOf(emptying.missing);
                emptying.missing.clear();
                if (emptying.remaining.isEmpty() ? isEmptied(emptying) : wave(emptying)) {
                    return true;
                }
                emptying.missing.addAll(gone);
                return false;
            }
            if (!isNew(mix(emptying.node.hashCode(), ~emptying.before.hashCode()))) {
                return false;
            }
            for (int i = 0; i < awaited.size(); i++) {
                if (!isLikeOneOf(awaited, 0, i) && comes(emptying, awaited.get(i))) {
                    return true;
                }
            }
            return false;
        }

        private boolean comes(Emptying emptying, Leaving each) {
            Pod successor = each.successor().orElseThrow();
            if (++tries > budget || moves > MOST_MOVES) {
                isCut = true;
            }
            if (isCut
                    || !(cluster.schedulePod(successor, USUAL.asDryRun())
                            instanceof Verdict.Placed(Pod _, String own))) {
                return false;
            }
            Set<String> targets = new LinkedHashSet<>();
            targets.add(own);
            targets.addAll(cluster.canSchedulePod(successor, USUAL));
            targets.removeIf(emptying::isLeft);
            for (String target : targets) {
                try (Transaction _ = cluster.begin()) {
                    cluster.place(successor, target);
                    EvictionBudgets.comes(each.budgets());
                    int place = emptying.missing.indexOf(each);
                    emptying.missing.remove(place);
                    emptying.waves.getLast().add(new Move(each.pod(), emptying.node, target));
                    boolean isHeld =
                            !target.equals(own) && emptying.held.add(each.pod().key());
                    moves(each.pod(), NOWHERE, emptying.node);
                    moves(successor, emptying.node, target);
                    if (successorsCome(emptying)) {
                        return true;
                    }
                    moves(successor, target, emptying.node);
                    moves(each.pod(), emptying.node, NOWHERE);
                    if (isHeld) {
                        emptying.held.remove(each.pod().key());
                    }
                    emptying.waves.getLast().removeLast();
                    emptying.missing.add(place, each);
                    EvictionBudgets.comesNot(each.budgets());
                }
            }
            return false;
        }

        private boolean isEmptied(Emptying emptying) {
            if (emptying.broken().isPresent()) {
                return false;
            }
            DrainPlanner.this.isEmptied(emptying);
            boolean isKept = !areGone || emptying.brokenOnceGone().isEmpty();
            if (isKept && next()) {
                return true;
            }
            steps.removeLast();
            away.removeLastOccurrence(emptying.node);
            return false;
        }

        private void moves(Pod pod, String from, String to) {
            int kind = kindOf(pod);
            whereabouts += mix(kind, placeOf(to)) - mix(kind, placeOf(from));
        }

        private int kindOf(Pod pod) {
            return kinds.computeIfAbsent(Kind.of(pod), _ -> kinds.size());
        }

        private int placeOf(String node) {
            return places.computeIfAbsent(node, _ -> places.size());
        }

        /** Whether this state was not tried before: where pods are, which nodes are done, and which away. */
        private boolean isNew(long what) {
            long hash = whereabouts;
            for (Step step : steps.subList(stepsBefore, steps.size())) {
                hash += mix(placeOf(step.node()), 1);
            }
            for (String node : away) {
                hash = mix(hash, placeOf(node));
            }
            return !isCut && dead.add(mix(hash, what));
        }

        private static long mix(long one, long other) {
            long hash = one * 0x9E3779B97F4A7C15L + other;
            hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
            hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
            return hash ^ (hash >>> 31);
        }
    }
}
