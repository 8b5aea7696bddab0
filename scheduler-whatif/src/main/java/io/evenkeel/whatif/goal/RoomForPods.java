package io.evenkeel.whatif.goal;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceVector;
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

    private final MoveTrial trial;
    private final ClusterSnapshot snapshot;
    private final List<Pod> waiting;
    private final Bound least;

    RoomForPods(MoveTrial trial, List<Pod> waiting) {
        this.trial = trial;
        this.snapshot = trial.snapshot;
        this.waiting = waiting;
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
     * @param mustGo how many pods must leave it at least, so that its resources suffice
     */
    private record Candidate(int node, int mustGo) {}

    /** The nodes where the pod may be once others have gone, those first from which the fewest must go. */
    private List<Candidate> candidates(Pod pod) {
        return snapshot.ask(pod, (judge, info) -> {
            judge.ask(info);
            List<Candidate> candidates = new ArrayList<>();
            NodeSetView nodes = judge.mayFitWithoutOthers();
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                int at = node;
                mustGo(judge, info, node).ifPresent(many -> candidates.add(new Candidate(at, many)));
            }
            candidates.sort(Comparator.comparing(Candidate::mustGo)
                    .thenComparing(each -> trial.view.nodes().name(each.node())));
            return candidates;
        });
    }

    private Optional<Integer> mustGo(NodeVerdicts judge, PodInfo pod, int node) {
        ClusterView view = trial.view;
        ResourceVector asked = pod.shape().resources().value().asked();
        int most = 0;
        for (int i = 0; i < asked.size(); i++) {
            int resource = asked.resourceAt(i);
            if (judge.limit(view.resources().nameOf(resource))) {
                long lacking = view.nodes().requested(resource, node)
                        + asked.amountAt(i)
                        - view.nodes().allocatable(resource, node);
                int going = 0;
                for (long amount : largestFirst(resource, node)) {
                    if (lacking <= 0) {
                        break;
                    }
                    lacking -= amount;
                    going++;
                }
                if (lacking > 0) {
                    return Optional.empty();
                }
                most = Math.max(most, going);
            }
        }
        return Optional.of(most);
    }

    /** What the pods on a node that may move have of a resource. */
    private List<Long> largestFirst(int resource, int node) {
        return movable(node).stream()
                .map(pod -> amount(pod, resource))
                .sorted(Comparator.reverseOrder())
                .toList();
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
                .filter(trial::mayMove)
                .toList();
    }

    /** Of each pod in turn that finds no node, the node from which the fewest must go, and others take those in. */
    @Override
    public List<Move> suggestion() {
        Map<String, Move> moves = new LinkedHashMap<>();
        Set<String> own = waiting.stream().map(Pod::key).collect(Collectors.toSet());
        try (Transaction _ = snapshot.begin()) {
            for (Pod pod : waiting) {
                if (snapshot.schedulePod(pod, SchedulingOptions.USUAL) instanceof Verdict.Placed) {
                    continue;
                }
                Optional<Room> room = cheapest(pod, own);
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

    private Optional<Room> cheapest(Pod pod, Set<String> own) {
        Optional<Room> best = Optional.empty();
        for (Candidate candidate : candidates(pod).stream().limit(MOST_NODES).toList()) {
            int fewest = best.map(room -> room.moves().size()).orElse(Integer.MAX_VALUE);
            if (fewest <= candidate.mustGo()) {
                break;
            }
            Optional<Room> room = room(pod, candidate.node(), own);
            if (room.isPresent() && room.get().moves().size() < fewest) {
                best = room;
            }
        }
        return best;
    }

    private Optional<Room> room(Pod pod, int node, Set<String> own) {
        String name = trial.view.nodes().name(node);
        List<Pod> going = going(
                pod,
                name,
                movable(node).stream().filter(each -> !own.contains(each.key())).toList());
        if (going.isEmpty()) {
            return Optional.empty();
        }
        List<Move> moves = new ArrayList<>();
        try (Transaction _ = snapshot.begin()) {
            Set<String> others = snapshot.nodes().stream()
                    .map(Node::name)
                    .filter(other -> !other.equals(name))
                    .collect(Collectors.toSet());
            snapshot.preemptPods(going);
            snapshot.place(pod, name);
            for (Pod each : going) {
                if (!(snapshot.schedulePod(trial.successor(each), SchedulingOptions.USUAL.among(others))
                        instanceof Verdict.Placed(Pod _, String to))) {
                    return Optional.empty();
                }
                moves.add(new Move(each, name, to));
            }
        }
        return Optional.of(new Room(name, moves));
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
