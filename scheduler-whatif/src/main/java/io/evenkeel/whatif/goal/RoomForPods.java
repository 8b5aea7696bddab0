package io.evenkeel.whatif.goal;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Pods that wait find nodes, all of them. */
final class RoomForPods implements Aim {
    /** Nodes that are tried for a pod, those first from which the fewest pods must go. */
    private static final int MOST_NODES = 100;

    /** Sets of pods that are looked at where fewer may do. */
    private static final int MOST_TRIES = 50_000;

    /** Of them, so many of a size on one node. */
    private static final int MOST_TRIES_A_NODE = 1_000;

    /** To ask so many nodes about the pods of a set counts as one set that is looked at. */
    private static final int NODES_A_TRY = 50;

    private final MoveTrial trial;
    private final ClusterSnapshot snapshot;
    private final List<Pod> waiting;
    private final Set<String> own;
    private Bound least;
    private int triesLeft = MOST_TRIES;

    RoomForPods(MoveTrial trial, List<Pod> waiting) {
        this.trial = trial;
        this.snapshot = trial.snapshot;
        this.waiting = waiting;
        own = waiting.stream().map(Pod::key).collect(Collectors.toSet());
        List<Optional<Integer>> needs = waiting.stream()
                .map(pod -> candidates(pod).stream().map(Candidate::mustGo).findFirst())
                .toList();
        // a pod that can be nowhere, whoever goes, waits, and all with it
        least = needs.stream().allMatch(Optional::isPresent)
                ? new Bound(0, needs.stream().mapToInt(Optional::get).reduce(against() == 0 ? 0 : 1, Math::max))
                : new Bound(waiting.size(), 0);
    }

    /** Where the pods go; those that are refused among them where not all find a node. The cluster is afterwards as it was. */
    static List<Verdict> verdicts(ClusterSnapshot snapshot, List<Pod> waiting) {
        return waiting.size() == 1
                ? snapshot.schedulePods(waiting, SchedulingOptions.USUAL.asDryRun())
                : snapshot.scheduleWorkload(waiting, SchedulingOptions.USUAL.asDryRun());
    }

    @Override
    public int against() {
        return verdicts(snapshot, waiting).stream().allMatch(Verdict.Placed.class::isInstance) ? 0 : waiting.size();
    }

    @Override
    public Bound least() {
        return least;
    }

    /**
     * A node for a pod that waits.
     *
     * @param movable its pods that may leave it
     * @param lacks what must be freed of resources
     * @param mustGo how many pods must leave it at least, so that each of its resources suffices
     */
    private record Candidate(int node, List<Pod> movable, List<Lack> lacks, int mustGo) {}

    private record Lack(int resource, long amount) {}

    /** The nodes where the pod may be once others have gone, those first from which the fewest must go. */
    private List<Candidate> candidates(Pod pod) {
        return snapshot.ask(pod, (judge, info) -> {
            judge.ask(info);
            List<Candidate> candidates = new ArrayList<>();
            NodeSetView nodes = judge.mayFitWithoutOthers();
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                candidate(judge, info, node).ifPresent(candidates::add);
            }
            candidates.sort(Comparator.comparing(Candidate::mustGo)
                    .thenComparing(each -> trial.view.nodes().name(each.node())));
            return candidates;
        });
    }

    private Optional<Candidate> candidate(NodeVerdicts judge, PodInfo pod, int node) {
        ClusterView view = trial.view;
        ResourceVector asked = pod.shape().resources().value().asked();
        List<Pod> movable = movable(node);
        List<Lack> lacks = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < asked.size(); i++) {
            int resource = asked.resourceAt(i);
            long lacking = view.nodes().requested(resource, node)
                    + asked.amountAt(i)
                    - view.nodes().allocatable(resource, node);
            if (lacking > 0 && judge.limit(view.resources().nameOf(resource))) {
                lacks.add(new Lack(resource, lacking));
                int going = fewest(lacking, movable, resource);
                if (going > movable.size()) {
                    return Optional.empty();
                }
                most = Math.max(most, going);
            }
        }
        return Optional.of(new Candidate(node, movable, lacks, most));
    }

    /** How many pods have as much of a resource, those with the most first; more than there are if all have less. */
    private int fewest(long lacking, List<Pod> pods, int resource) {
        long[] amounts =
                pods.stream().mapToLong(pod -> amount(pod, resource)).sorted().toArray();
        int going = 0;
        for (long left = lacking; left > 0; going++) {
            if (going == amounts.length) {
                return going + 1;
            }
            left -= amounts[amounts.length - 1 - going];
        }
        return going;
    }

    private long amount(Pod pod, int resource) {
        PodTable pods = trial.view.pods();
        return pods.shape(pods.find(pod.key()))
                .value()
                .resources()
                .value()
                .requests()
                .amountOf(resource);
    }

    private List<Pod> movable(int node) {
        return snapshot.podsOn(trial.view.nodes().name(node)).stream()
                .filter(pod -> trial.mayMove(pod) && !own.contains(pod.key()))
                .toList();
    }

    /** Of each pod in turn that finds no node, the node from which the fewest must go, and others take those in. */
    @Override
    public List<Move> suggestion() {
        Map<String, Move> moves = new LinkedHashMap<>();
        try (Transaction _ = snapshot.begin()) {
            for (Pod pod : waiting) {
                if (snapshot.schedulePod(pod, SchedulingOptions.USUAL) instanceof Verdict.Placed) {
                    continue;
                }
                Optional<Room> room = cheapest(pod);
                if (room.isEmpty()) {
                    return List.of();
                }
                room.get().moves().forEach(move -> {
                    snapshot.preemptPods(List.of(move.pod()));
                    snapshot.place(trial.successor(move.pod()), move.to());
                    moves.merge(
                            trial.successor(move.pod()).key(),
                            move,
                            (first, last) -> new Move(first.pod(), first.from(), last.to()));
                });
                snapshot.place(pod, room.get().node());
            }
        }
        return moves.values().stream()
                .filter(move -> !move.from().equals(move.to()))
                .toList();
    }

    private record Room(String node, List<Move> moves) {}

    private Optional<Room> cheapest(Pod pod) {
        Optional<Room> best = Optional.empty();
        List<Candidate> candidates = candidates(pod);
        for (Candidate candidate : candidates.stream().limit(MOST_NODES).toList()) {
            int fewest = best.map(room -> room.moves().size()).orElse(Integer.MAX_VALUE);
            if (fewest <= candidate.mustGo()) {
                break;
            }
            String node = trial.view.nodes().name(candidate.node());
            Optional<Room> room = room(pod, node, going(pod, node, candidate.movable()));
            if (room.isPresent() && room.get().moves().size() < fewest) {
                best = room;
            }
        }
        Optional<Room> known = best;
        return fewer(pod, candidates, known).or(() -> known);
    }

    /** Tries all sets of fewer pods, the smaller first. Where no set of a size frees what the pod lacks, more pods must go. */
    private Optional<Room> fewer(Pod pod, List<Candidate> candidates, Optional<Room> known) {
        int most = known.map(room -> room.moves().size() - 1)
                .orElseGet(() -> candidates.stream()
                        .mapToInt(candidate -> candidate.movable().size())
                        .max()
                        .orElse(0));
        boolean isTooFew = waiting.size() == 1;
        for (int size = 1; size <= most; size++) {
            for (Candidate candidate : candidates) {
                if (candidate.mustGo() > size) {
                    break;
                }
                Sets sets = new Sets(pod, candidate);
                Optional<Room> room = sets.tried(size, 0);
                if (room.isPresent() || triesLeft <= 0) {
                    return room;
                }
                isTooFew &= !sets.isEnough && sets.left > 0;
            }
            if (isTooFew) {
                least = new Bound(0, Math.max(least.moves(), size + 1));
            }
        }
        return Optional.empty();
    }

    /** Sets of pods that may leave a node for one that waits; of pods that are alike one set of so many. */
    private final class Sets {
        private final Pod pod;
        private final Candidate candidate;
        private final List<List<Pod>> kinds;
        /** By kind and lack, how much of it one has. */
        private final long[][] amounts;
        /** By lack, how much is still to be freed. */
        private final long[] lacking;

        private final List<Pod> going = new ArrayList<>();
        private int left = MOST_TRIES_A_NODE;
        /** Whether a set frees what the pod lacks of resources. */
        private boolean isEnough;

        Sets(Pod pod, Candidate candidate) {
            this.pod = pod;
            this.candidate = candidate;
            kinds = List.copyOf(candidate.movable().stream()
                    .sorted(Comparator.comparing(RoomForPods.this::size).reversed())
                    .collect(Collectors.groupingBy(this::likeness, LinkedHashMap::new, Collectors.toList()))
                    .values());
            amounts = kinds.stream()
                    .map(kind -> candidate.lacks().stream()
                            .mapToLong(lack -> amount(kind.getFirst(), lack.resource()))
                            .toArray())
                    .toArray(long[][]::new);
            lacking = candidate.lacks().stream().mapToLong(Lack::amount).toArray();
        }

        private Likeness likeness(Pod there) {
            ClusterView view = trial.view;
            return Likeness.of(new PodInfo(there, view.pods().shape(view.pods().find(there.key()))), view);
        }

        /** What is made by the first set with so many more, of this kind and those after it, whose pods find other nodes. */
        Optional<Room> tried(int more, int from) {
            left--;
            triesLeft--;
            if (left <= 0 || triesLeft <= 0 || !mayBeEnough(more, from)) {
                return Optional.empty();
            }
            if (more == 0) {
                isEnough = true;
                triesLeft -= trial.view.nodes().count() / NODES_A_TRY;
                return room(pod, trial.view.nodes().name(candidate.node()), List.copyOf(going));
            }
            for (int kind = from; kind < kinds.size(); kind++) {
                for (int many = Math.min(more, kinds.get(kind).size()); many > 0; many--) {
                    take(kind, many);
                    Optional<Room> room = tried(more - many, kind + 1);
                    putBack(kind, many);
                    if (room.isPresent()) {
                        return room;
                    }
                }
            }
            return Optional.empty();
        }

        private boolean mayBeEnough(int more, int from) {
            for (int lack = 0; lack < lacking.length; lack++) {
                long most = 0;
                for (int kind = from; kind < amounts.length && more > 0; kind++) {
                    most = Math.max(most, amounts[kind][lack]);
                }
                if (lacking[lack] > most * more) {
                    return false;
                }
            }
            return true;
        }

        private void take(int kind, int many) {
            going.addAll(kinds.get(kind).subList(0, many));
            for (int lack = 0; lack < lacking.length; lack++) {
                lacking[lack] -= amounts[kind][lack] * many;
            }
        }

        private void putBack(int kind, int many) {
            going.subList(going.size() - many, going.size()).clear();
            for (int lack = 0; lack < lacking.length; lack++) {
                lacking[lack] += amounts[kind][lack] * many;
            }
        }
    }

    /** The pod goes to the node, and these go elsewhere, if all can. */
    private Optional<Room> room(Pod pod, String node, List<Pod> going) {
        if (going.isEmpty() || !fitsWithout(pod, node, going)) {
            return Optional.empty();
        }
        List<Move> moves = new ArrayList<>();
        try (Transaction _ = snapshot.begin()) {
            Set<String> others = snapshot.nodes().stream()
                    .map(Node::name)
                    .filter(other -> !other.equals(node))
                    .collect(Collectors.toSet());
            snapshot.preemptPods(going);
            snapshot.place(pod, node);
            for (Pod each : going) {
                if (!(snapshot.schedulePod(trial.successor(each), SchedulingOptions.USUAL.among(others))
                        instanceof Verdict.Placed(Pod _, String to))) {
                    return Optional.empty();
                }
                moves.add(new Move(each, node, to));
            }
        }
        return Optional.of(new Room(node, moves));
    }

    /** Pods without which the pod fits on the node, none of them in vain; none where there are no such. */
    private List<Pod> going(Pod pod, String node, List<Pod> movable) {
        List<Pod> going = new ArrayList<>(movable);
        if (!fitsWithout(pod, node, going)) {
            return List.of();
        }
        // the small ones stay rather than the large, so that few go
        movable.stream().sorted(Comparator.comparing(this::size)).forEach(each -> {
            going.remove(each);
            if (!fitsWithout(pod, node, going)) {
                going.add(each);
            }
        });
        return going;
    }

    private boolean fitsWithout(Pod pod, String node, Collection<Pod> gone) {
        try (Transaction _ = snapshot.begin()) {
            snapshot.preemptPods(gone);
            return snapshot.fitsOn(pod, node);
        }
    }

    /** The largest share of its node that it has of any resource. */
    private double size(Pod pod) {
        ClusterView view = trial.view;
        int row = view.pods().find(pod.key());
        ResourceVector requests =
                view.pods().shape(row).value().resources().value().requests();
        double most = 0;
        for (int i = 0; i < requests.size(); i++) {
            long offered =
                    view.nodes().allocatable(requests.resourceAt(i), view.pods().node(row));
            most = Math.max(most, (double) requests.amountAt(i) / Math.max(1, offered));
        }
        return most;
    }
}
