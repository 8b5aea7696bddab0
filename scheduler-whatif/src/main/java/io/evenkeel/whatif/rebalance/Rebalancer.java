package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.rebalance.MoveOrder.Waves;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import io.evenkeel.whatif.rebalance.MoveSearch.Effort;
import io.evenkeel.whatif.rebalance.MoveSearch.Found;
import io.evenkeel.whatif.rebalance.MoveSearch.Judge;
import io.evenkeel.whatif.rebalance.MoveSearch.Step;
import io.evenkeel.whatif.rebalance.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Plans the fewest moves after which the hard constraints of every pod hold: spread constraints, affinity and anti-affinity, required node
 * affinity, policies. A pod that stays is judged by these beside all others; a pod that moves must fit by all filters, as the cluster
 * is in the end. Where no moves make all rules hold, those that leave the fewest violations.
 *
 * <p>Workloads that have nothing to do with each other are planned apart: one move after the other, as the scheduler would choose.
 * Where these are as many as the closed form says that there must be, or the cheapest {@link MoveFlow}, there are no fewer. Else the
 * moves of the flow are tried, then all sets of fewer moves, as far as a budget of steps reaches, and the plan says what is proved.
 */
public final class Rebalancer {
    /** The moves that are made in thought where a plan is not proved otherwise: some seconds. */
    private static final long MOST_MOVES_TRIED = 6_000_000;

    /** So much costs it, in such moves, to find out how good a node is for a kind. */
    private static final long COST_OF_A_TARGET = 20;

    /** To look so many times whether a kind may be on a node counts as one move. */
    private static final long CELLS_A_MOVE = 64;

    private final ClusterSnapshot snapshot;
    private final Effort effort;
    private Optional<Room> mostRoom = Optional.empty();

    private Rebalancer(ClusterSnapshot snapshot, Effort effort) {
        this.snapshot = snapshot;
        this.effort = effort;
    }

    /** The plan for the cluster as it is here now, which stays as it is. */
    public static MovePlan plan(ClusterSnapshot snapshot) {
        return plan(snapshot, new Effort(MOST_MOVES_TRIED));
    }

    static MovePlan plan(ClusterSnapshot snapshot, Effort effort) {
        try (Transaction _ = snapshot.begin();
                PodKinds kinds = new PodKinds(snapshot)) {
            return new Rebalancer(snapshot, effort).plan(kinds);
        }
    }

    /** The pods whose hard constraints do not hold now. */
    public static List<Violation> violations(ClusterSnapshot snapshot) {
        try (Transaction _ = snapshot.begin();
                PodKinds kinds = new PodKinds(snapshot)) {
            Rebalancer rebalancer = new Rebalancer(snapshot, new Effort(0));
            List<Violation> violations = new ArrayList<>();
            for (List<Kind> related : kinds.workloads()) {
                Workload workload = new Workload(snapshot.view(), related);
                if (workload.isStrange() || workload.violations() > 0) {
                    for (int pod = 0; pod < workload.pods.length; pod++) {
                        List<String> plugins = rebalancer.objectors(workload, pod);
                        if (!plugins.isEmpty()) {
                            Pod wrong = workload.pods[pod];
                            violations.add(new Violation(
                                    wrong, workload.nameOf(workload.nodeOf[pod]), plugins, kinds.keptBy(wrong)));
                        }
                    }
                }
            }
            violations.sort(Comparator.comparing(violation -> violation.pod().key()));
            return violations;
        }
    }

    /**
     * Moves of one workload.
     *
     * @param isProved whether there is nothing better as long as pods of other workloads stay where they are
     * @param least no moves leave fewer violations, and no fewer moves leave as few as these, whatever else moves
     */
    private record Part(Workload workload, List<Move> moves, boolean isProved, Bound least, int before, int after) {
        Part {
            moves = List.copyOf(moves);
        }

        /** Whether nothing is better, whatever else moves. */
        boolean isLeast() {
            return made().equals(least);
        }

        private Bound made() {
            return new Bound(after, moves.size());
        }

        /** No moves leave fewer violations, and no fewer moves leave as few as these. */
        Bound proven() {
            return isProved ? made() : least;
        }

        Part proved(boolean whether) {
            return new Part(workload, moves, whether, least, before, after);
        }
    }

    private MovePlan plan(PodKinds kinds) {
        List<Part> parts = new ArrayList<>();
        boolean roomMatters = false;
        for (List<Kind> related : kinds.workloads()) {
            Workload workload = new Workload(snapshot.view(), related);
            int before = violations(workload, workload.violations());
            if (before > 0) {
                Planner planner = new Planner(workload, kinds);
                Part part = planner.plan(before);
                roomMatters |= planner.roomMatters && !part.isLeast();
                parts.add(part);
                part.moves().forEach(move -> snapshot.place(move.pod(), move.to()));
            }
        }
        if (roomMatters) {
            parts = kinds.isSmall()
                    ? together(kinds, parts)
                    : parts.stream().map(part -> part.proved(part.isLeast())).toList();
        }
        Waves order = MoveOrder.of(
                snapshot, parts.stream().flatMap(part -> part.moves().stream()).toList());
        return new MovePlan(
                order.moves(),
                order.waves(),
                parts.stream().allMatch(Part::isProved),
                least(parts),
                parts.stream().mapToInt(Part::before).sum(),
                parts.stream().mapToInt(Part::after).sum());
    }

    private static Bound least(List<Part> parts) {
        return new Bound(
                parts.stream().mapToInt(part -> part.proven().violations()).sum(),
                parts.stream().mapToInt(part -> part.proven().moves()).sum());
    }

    /** All pods are one workload, as one makes room for another. */
    private List<Part> together(PodKinds kinds, List<Part> apart) {
        apart.forEach(part -> part.moves().forEach(move -> snapshot.place(move.pod(), move.from())));
        Workload all = new Workload(snapshot.view(), kinds.all());
        int moves = apart.stream().mapToInt(part -> part.moves().size()).sum();
        int after = apart.stream().mapToInt(Part::after).sum();
        int before = apart.stream().mapToInt(Part::before).sum();
        Bound least = least(apart.stream().map(part -> part.proved(false)).toList());
        Planner planner = new Planner(all, kinds);
        Found found = planner.search(before, new Bound(after, moves), least);
        if (found.violations() > after
                || (found.violations() == after
                        && (found.steps().isEmpty() || found.steps().size() >= moves))) {
            apart.forEach(part -> part.moves().forEach(move -> snapshot.place(move.pod(), move.to())));
            return apart.stream().map(part -> part.proved(found.isWhole())).toList();
        }
        List<Move> better = planner.movesOf(found.steps());
        better.forEach(move -> snapshot.place(move.pod(), move.to()));
        return List.of(new Part(all, better, found.isWhole(), least, before, found.violations()));
    }

    /** What is left where all pods have gone that may move; moves in thought change nothing of it. */
    private Room mostRoom(PodKinds kinds) {
        mostRoom = mostRoom.or(() -> Optional.of(new Room(snapshot, kinds.all())));
        return mostRoom.get();
    }

    /** So many, unless plugins have a say whose rules are not known: then these are asked. */
    private int violations(Workload workload, int byModel) {
        return workload.isStrange() ? violations(workload) : byModel;
    }

    private int violations(Workload workload) {
        int violations = 0;
        for (int pod = 0; pod < workload.pods.length; pod++) {
            violations += objectors(workload, pod).isEmpty() ? 0 : 1;
        }
        return violations;
    }

    /** The plugins that would not let the pod onto the node that it is on now; none of a pod on its way out. */
    private List<String> objectors(Workload workload, int pod) {
        Pod there = workload.pods[pod];
        if (!workload.kinds.get(workload.kindOf[pod]).isJudged()) {
            return List.of();
        }
        int node =
                snapshot.view().nodes().findPresent(snapshot.nodeOf(there.key()).orElseThrow());
        try (Transaction _ = snapshot.begin()) {
            snapshot.preemptPods(List.of(there));
            return snapshot.ask(there, (judge, info) -> judge.objectors(info, node)).stream()
                    .filter(PodKinds.OF_RUNNING_PODS::contains)
                    .toList();
        }
    }

    /** Moves of a workload that leave so many violations. */
    private record Attempt(List<Move> moves, int after) {
        boolean isBetterThan(Attempt other) {
            return after < other.after || (after == other.after && moves.size() < other.moves.size());
        }

        Bound bound() {
            return new Bound(after, moves.size());
        }
    }

    /** Plans one workload. */
    private final class Planner {
        private final Workload workload;
        private final PodKinds kinds;
        private Optional<Fits> fits = Optional.empty();
        private boolean roomMatters;

        /** By kind, the nodes where its pods may fit once those that may move have gone: those of the workload, or whichever. */
        private record Fits(List<NodeSetView> now, List<NodeSetView> ever) {}

        Planner(Workload workload, PodKinds kinds) {
            this.workload = workload;
            this.kinds = kinds;
        }

        Part plan(int before) {
            Attempt best = better(new Attempt(List.of(), before), () -> Levelling.run(snapshot, workload));
            if (best.bound().equals(new Bound(0, workload.need()))) {
                return part(best, before, true, best.bound());
            }
            int wrong = effort.spend((long) workload.kinds.size() * workload.nodes.length / CELLS_A_MOVE)
                    ? workload.leastViolations(isIn(fits().ever()))
                    : 0;
            if (best.bound().equals(new Bound(wrong, 0))) {
                return part(best, before, true, best.bound());
            }
            Bound least = wrong == 0 ? new Bound(0, workload.need()) : new Bound(wrong, wrong < before ? 1 : 0);
            if (effort.spend((long) workload.kinds.size() * workload.nodes.length)) {
                least = least(before, wrong);
                if (!best.bound().equals(least)) {
                    MoveFlow flow = flow(fits().now(), new Room(snapshot, workload.kinds));
                    best = better(best, () -> flow.make(snapshot));
                }
            }
            if (best.bound().equals(least)) {
                return part(best, before, true, least);
            }
            Found found = search(before, best.bound(), least);
            Attempt searched = new Attempt(movesOf(found.steps()), found.violations());
            boolean isBetter = !found.steps().isEmpty() && searched.isBetterThan(best);
            return part(isBetter ? searched : best, before, found.isWhole(), least);
        }

        private Part part(Attempt attempt, int before, boolean isProved, Bound least) {
            return new Part(workload, attempt.moves(), isProved, least, before, attempt.after());
        }

        /** The better of these moves and of those that are made in thought. */
        private Attempt better(Attempt than, Supplier<List<Integer>> moving) {
            int[] at = workload.nodeOf.clone();
            Attempt best = than;
            try (Transaction _ = snapshot.begin()) {
                List<Integer> moved = moving.get();
                if (moved.stream()
                        .allMatch(pod -> snapshot.fitsOn(workload.pods[pod], workload.nameOf(workload.nodeOf[pod])))) {
                    List<Move> moves = moved.stream()
                            .map(pod -> new Move(
                                    workload.pods[pod],
                                    workload.nameOf(at[pod]),
                                    workload.nameOf(workload.nodeOf[pod])))
                            .toList();
                    Attempt made = new Attempt(moves, violations(workload, workload.violations()));
                    best = made.isBetterThan(than) ? made : than;
                }
            }
            workload.restore(at);
            return best;
        }

        /** No moves of any pods leave fewer violations, and no fewer moves of this workload's leave as few. */
        private Bound least(int before, int wrong) {
            int moves = flow(fits().ever(), mostRoom(kinds)).fewest();
            int violations = Math.max(wrong, moves == MoveFlow.IMPOSSIBLE ? 1 : 0);
            return violations == 0
                    ? new Bound(0, Math.max(moves, workload.need()))
                    : new Bound(violations, violations < before ? 1 : 0);
        }

        private MoveFlow flow(List<NodeSetView> targets, Room room) {
            return new MoveFlow(workload, isIn(targets), room.slots(workload), effort);
        }

        Found search(int before, Bound known, Bound least) {
            if (!effort.spend(COST_OF_A_TARGET * workload.kinds.size() * workload.nodes.length)) {
                return new Found(List.of(), before, false);
            }
            return new MoveSearch(workload, targets(), this::judge, effort).run(before, known, least);
        }

        private int judge(List<Step> steps, int byModel) {
            List<Move> moves = movesOf(steps);
            try (Transaction _ = snapshot.begin()) {
                moves.forEach(move -> snapshot.place(move.pod(), move.to()));
                for (Move move : moves) {
                    if (!snapshot.fitsOn(move.pod(), move.to())) {
                        roomMatters = true;
                        return Judge.UNFIT;
                    }
                }
                return violations(workload, byModel);
            }
        }

        /** The moves of these steps, for each the last pods of the kind on the node. */
        private List<Move> movesOf(List<Step> steps) {
            Map<Step, Integer> taken = new HashMap<>();
            List<Move> moves = new ArrayList<>();
            for (Step step : steps) {
                int skipped = taken.merge(new Step(step.kind(), step.from(), 0), 1, Integer::sum) - 1;
                int pod = workload.podOf(step.kind(), step.from(), skipped);
                moves.add(new Move(workload.pods[pod], workload.nameOf(step.from()), workload.nameOf(step.to())));
            }
            return moves;
        }

        private Fits fits() {
            if (fits.isEmpty()) {
                Fits found = new Fits(
                        room(workload.kinds, NodeVerdicts::mayFit),
                        kinds.isSmall()
                                ? room(kinds.all(), NodeVerdicts::mayFit)
                                : room(workload.kinds, NodeVerdicts::mayFitWithoutOthers));
                roomMatters |= !found.now().equals(found.ever());
                fits = Optional.of(found);
            }
            return fits.get();
        }

        private boolean[][] isIn(List<NodeSetView> nodes) {
            boolean[][] isIn = new boolean[nodes.size()][workload.nodes.length];
            for (int kind = 0; kind < isIn.length; kind++) {
                for (int node = 0; node < isIn[kind].length; node++) {
                    isIn[kind][node] = nodes.get(kind).contains(workload.nodes[node]);
                }
            }
            return isIn;
        }

        /** By kind, where a pod may go: as the scheduler prefers, then by name. */
        private int[][] targets() {
            int[][] targets = new int[workload.kinds.size()][];
            for (int kind = 0; kind < targets.length; kind++) {
                NodeSetView fitting = fits().now().get(kind);
                Map<String, Long> worth = workload.mayMove(kind) ? worth(kind) : Map.of();
                targets[kind] = IntStream.range(0, workload.nodes.length)
                        .filter(node -> fitting.contains(workload.nodes[node]))
                        .boxed()
                        .sorted(Comparator.comparing((Integer node) -> -worth.getOrDefault(workload.nameOf(node), -1L))
                                .thenComparing(workload::nameOf))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
            return targets;
        }

        private Map<String, Long> worth(int kind) {
            Pod pod = workload.kinds.get(kind).pod();
            try (Transaction _ = snapshot.begin()) {
                snapshot.preemptPods(List.of(pod));
                Map<String, Long> worth = new HashMap<>();
                for (Map.Entry<String, NavigableMap<String, Long>> node :
                        snapshot.scores(pod).entrySet()) {
                    worth.put(
                            node.getKey(),
                            node.getValue().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum());
                }
                return worth;
            }
        }

        /** By kind, what is told of the nodes once all pods of these kinds have gone that may move. */
        private List<NodeSetView> room(List<Kind> moving, Function<NodeVerdicts, NodeSetView> told) {
            try (Transaction _ = snapshot.begin()) {
                for (Kind kind : moving) {
                    if (kind.mayMove()) {
                        snapshot.preemptPods(kind.all());
                    }
                }
                return workload.kinds.stream()
                        .map(kind -> kind.mayMove()
                                ? snapshot.ask(kind.pod(), (judge, info) -> {
                                    judge.ask(info);
                                    return told.apply(judge).frozen();
                                })
                                : new NodeSet())
                        .map(NodeSetView.class::cast)
                        .toList();
            }
        }
    }
}
