package io.evenkeel.whatif.goal;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tries all sets of moves, the fewer first. Pods that are alike and on one node can take each other's places: of these one set of so
 * many is tried. Exact as long as the effort lasts.
 */
final class MoveSets {
    /** In a larger cluster nothing comes of it. */
    private static final int MOST_PODS = 500;

    /** Moves that are made in thought: some seconds. */
    private static final long MOST_TRIED = 400_000;

    /**
     * The best there is, as far as was looked.
     *
     * @param isWhole whether all was looked at that may be better
     */
    record Found(List<Move> moves, int against, boolean isWhole) {}

    /** All that a pod is told by, but for its name and its node. */
    private record Likeness(
            String namespace, Labels labels, PodSpec spec, Optional<OwnerReference> owner, String ifOfDevices) {}

    /** Pods that are alike. */
    private static final class Kind {
        final Map<String, List<Pod>> byNode = new LinkedHashMap<>();
        List<String> targets = List.of();
        /** By node, how many go from there; negative for those that come. */
        final Map<String, Integer> going = new HashMap<>();

        int going(String node) {
            return going.getOrDefault(node, 0);
        }

        Pod any() {
            return byNode.values().iterator().next().getFirst();
        }
    }

    private final MoveTrial trial;
    private final Aim aim;
    private final List<Kind> kinds;
    private final int movable;
    private final int costBeside;
    private final int leastAgainst;
    private final List<Move> moves = new ArrayList<>();
    private long left = MOST_TRIED;
    private List<Move> best = List.of();
    private int against;

    private MoveSets(MoveTrial trial, Aim aim) {
        this.trial = trial;
        this.aim = aim;
        leastAgainst = aim.least().violations();
        costBeside = trial.view.pods().count() / aim.podsAMove();
        List<Pod> pods = trial.snapshot.pods().stream()
                .filter(pod -> aim.moves(pod) && trial.mayMove(pod))
                .sorted(Comparator.comparing(Pod::key).reversed())
                .toList();
        movable = pods.size();
        kinds = kinds(trial, pods);
    }

    /** Something better than moves that leave so much against the goal, or these. */
    static Found better(MoveTrial trial, Aim aim, List<Move> known, int against) {
        if (trial.view.pods().count() > MOST_PODS) {
            return new Found(known, against, false);
        }
        MoveSets sets = new MoveSets(trial, aim);
        sets.best = known;
        sets.against = against;
        for (int size = 1; size <= sets.movable && !sets.isDone(size); size++) {
            sets.tries(size, 0, 0, 0);
        }
        return new Found(sets.best, sets.against, sets.left > 0);
    }

    private boolean isDone(int size) {
        return left <= 0 || (against == leastAgainst && best.size() <= size);
    }

    private static List<Kind> kinds(MoveTrial trial, List<Pod> pods) {
        Map<Likeness, Kind> kinds = new LinkedHashMap<>();
        for (Pod pod : pods) {
            kinds.computeIfAbsent(
                            new Likeness(
                                    pod.namespace(),
                                    pod.labels(),
                                    PodBuilder.from(pod).nodeName("").build().spec(),
                                    pod.meta().controller(),
                                    trial.view.needsDevices(pod) ? pod.name() : ""),
                            _ -> new Kind())
                    .byNode
                    .computeIfAbsent(pod.spec().nodeName(), _ -> new ArrayList<>())
                    .add(pod);
        }
        try (Transaction _ = trial.snapshot.begin()) {
            trial.snapshot.preemptPods(pods);
            kinds.values().forEach(kind -> kind.targets = targets(trial, kind.any()));
        }
        return List.copyOf(kinds.values());
    }

    /** Where it may fit once all have gone that may move: nowhere else. */
    private static List<String> targets(MoveTrial trial, Pod pod) {
        return trial.snapshot.ask(pod, (judge, info) -> {
            judge.ask(info);
            return names(trial, judge);
        });
    }

    private static List<String> names(MoveTrial trial, NodeVerdicts judge) {
        List<String> names = new ArrayList<>();
        NodeSetView nodes = judge.mayFit();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            names.add(trial.view.nodes().name(node));
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    /** Tries so many more moves: of this kind and those after it, and of this kind from this node on, to this target and those after it. */
    private void tries(int more, int kindFrom, int nodeFrom, int targetFrom) {
        if (more == 0) {
            judge();
            return;
        }
        for (int number = kindFrom; number < kinds.size(); number++) {
            Kind kind = kinds.get(number);
            boolean isSame = number == kindFrom && !moves.isEmpty();
            List<Map.Entry<String, List<Pod>>> nodes = List.copyOf(kind.byNode.entrySet());
            for (int from = isSame ? nodeFrom : 0; from < nodes.size(); from++) {
                String node = nodes.get(from).getKey();
                List<Pod> there = nodes.get(from).getValue();
                int gone = kind.going(node);
                if (gone < 0 || gone == there.size()) {
                    continue;
                }
                for (int target = isSame ? targetFrom : 0; target < kind.targets.size(); target++) {
                    String to = kind.targets.get(target);
                    int come = kind.going(to);
                    if (to.equals(node) || come > 0) {
                        continue;
                    }
                    kind.going.put(node, gone + 1);
                    kind.going.put(to, come - 1);
                    moves.add(new Move(there.get(gone), node, to));
                    tries(more - 1, number, from, target);
                    moves.removeLast();
                    kind.going.put(node, gone);
                    kind.going.put(to, come);
                    if (isDone(moves.size() + more)) {
                        return;
                    }
                }
            }
        }
    }

    private void judge() {
        left -= moves.size() + costBeside;
        int now = trial.after(moves, () -> {
            int after = aim.against();
            return isBetter(after) && trial.areLegal(moves) ? after : Integer.MAX_VALUE;
        });
        if (isBetter(now)) {
            best = List.copyOf(moves);
            against = now;
        }
    }

    private boolean isBetter(int after) {
        return after < against || (after == against && moves.size() < best.size());
    }
}
