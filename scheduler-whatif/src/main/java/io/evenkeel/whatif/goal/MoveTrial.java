package io.evenkeel.whatif.goal;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.Standing;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MoveOrder;
import io.evenkeel.whatif.rebalance.MoveOrder.Waves;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Moves in thought. The successor of a pod with devices gets others, so it stands under a name of its own: one that has been on a
 * node keeps what it had.
 */
final class MoveTrial implements AutoCloseable {
    private static final String POLICIES = "PlacementPolicy";
    private static final String MOVED = ".moved";

    final ClusterSnapshot snapshot;
    final ClusterView view;
    private final EvictionBudgets budgets;
    private final Standing standing;
    private final Standing.Broken broken;
    private final Set<String> againstPolicies;
    private final Optional<MoveTrial> asItIs;

    /** Of the cluster as it is now; nothing may be put until it is closed. */
    MoveTrial(ClusterSnapshot snapshot) {
        this(snapshot, Optional.empty());
    }

    /** @param asItIs of the same cluster, where moves are to be legal, too */
    MoveTrial(ClusterSnapshot snapshot, Optional<MoveTrial> asItIs) {
        this.snapshot = snapshot;
        this.asItIs = asItIs;
        view = snapshot.view();
        budgets = new EvictionBudgets(view);
        standing = new Standing(snapshot);
        broken = standing.broken();
        againstPolicies = againstPolicies();
    }

    /** Whether something makes the pod again elsewhere, and the API server lets it be evicted. */
    boolean mayMove(Pod pod) {
        return budgets.keptBy(pod).isEmpty();
    }

    /** What is so once these moves are made. */
    <T> T after(List<Move> moves, Supplier<T> question) {
        try (Transaction _ = snapshot.begin()) {
            moves.forEach(move -> snapshot.preemptPods(List.of(move.pod())));
            moves.forEach(move -> snapshot.place(successor(move.pod()), move.to()));
            return question.get();
        }
    }

    /** The pod that comes in its place. */
    Pod successor(Pod pod) {
        return view.needsDevices(pod) && !pod.name().endsWith(MOVED)
                ? PodBuilder.from(pod).name(pod.name() + MOVED).build()
                : pod;
    }

    /** Whether each pod fits where it is, now that these moves are made, and no rule is broken that held before. */
    boolean areLegal(List<Move> made) {
        for (Move move : made) {
            if (!snapshot.fitsOn(successor(move.pod()), move.to())) {
                return false;
            }
        }
        // whom they leave alone is told by their labels
        Map<Labels, Pod> byLabels = new HashMap<>();
        made.forEach(move -> byLabels.putIfAbsent(move.pod().labels(), move.pod()));
        return standing.newlyBroken(broken, List.copyOf(byLabels.values())).isEmpty()
                && againstPolicies.containsAll(againstPolicies())
                && asItIs.stream().allMatch(trial -> trial.allows(made));
    }

    private boolean allows(List<Move> elsewhere) {
        List<Move> moves = in(snapshot, elsewhere);
        return after(moves, () -> areLegal(moves));
    }

    /** The same moves, of the pods as they are there. */
    static List<Move> in(ClusterSnapshot snapshot, List<Move> moves) {
        return moves.stream()
                .map(move -> new Move(snapshot.pod(move.pod().key()).orElseThrow(), move.from(), move.to()))
                .toList();
    }

    /** In an order in which each fits at its turn, as far as there is one. */
    Waves inOrder(List<Move> moves) {
        try (Transaction _ = snapshot.begin()) {
            moves.forEach(move -> snapshot.place(move.pod(), move.to()));
            return MoveOrder.of(snapshot, moves);
        }
    }

    /** The keys of the pods that policies would not let onto their nodes now. */
    Set<String> againstPolicies() {
        if (!havePolicies(snapshot.configuration())) {
            return Set.of();
        }
        Set<String> keys = new HashSet<>();
        for (Pod pod : snapshot.pods()) {
            if (!pod.meta().terminating() && isAgainstPolicies(pod)) {
                keys.add(pod.key());
            }
        }
        return keys;
    }

    /** Whether some profile has their plugin. */
    static boolean havePolicies(SchedulerConfiguration configuration) {
        return configuration.profiles().stream()
                .anyMatch(profile -> profile.plugins().enabledNames().contains(POLICIES));
    }

    boolean isAgainstPolicies(Pod pod) {
        int node = view.nodes().findPresent(pod.spec().nodeName());
        try (Transaction _ = snapshot.begin()) {
            snapshot.preemptPods(List.of(pod));
            return snapshot.ask(
                    pod,
                    (judge, info) -> judge.askPlugin(POLICIES)
                            && judge.objectors(info, node).contains(POLICIES));
        }
    }

    @Override
    public void close() {
        standing.close();
        budgets.close();
    }
}
