package io.evenkeel.whatif.drain;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.EvictionBudgets.Budget;
import io.evenkeel.whatif.Standing;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A node that is being emptied. Whoever empties it cordons it, and takes back what the budgets were told where that comes to nothing. */
final class Emptying {

    /** A pod that leaves its node, and the one that its owner makes again; told from others by what it is. */
    static final class Leaving {
        private final Pod pod;
        private final Optional<Pod> successor;
        private final List<Budget> budgets;

        Leaving(Pod pod, Optional<Pod> successor, List<Budget> budgets) {
            this.pod = pod;
            this.successor = successor;
            this.budgets = budgets;
        }

        Pod pod() {
            return pod;
        }

        Optional<Pod> successor() {
            return successor;
        }

        List<Budget> budgets() {
            return budgets;
        }

        boolean isMadeAgain() {
            return successor.isPresent();
        }
    }

    private final ClusterSnapshot cluster;
    private final Standing standing;
    final String node;
    private final List<String> back;
    private final Collection<String> away;
    final Standing.Broken before;
    final List<Leaving> all = new ArrayList<>();
    private final List<Pod> ofTheNode = new ArrayList<>();
    final List<Leaving> remaining;
    /** Those that are evicted, and whose successors are not in place. */
    final List<Leaving> missing = new ArrayList<>();

    final List<List<Move>> waves = new ArrayList<>();
    final Set<String> held = new HashSet<>();

    /**
     * Of the pods that are there now, those of high priority first. Those that are going anyway are gone.
     *
     * @param back nodes that have come back for it
     * @param away nodes that are away meanwhile
     */
    Emptying(
            ClusterSnapshot cluster,
            EvictionBudgets budgets,
            Standing standing,
            String node,
            List<String> back,
            Collection<String> away) {
        this.cluster = cluster;
        this.standing = standing;
        this.node = node;
        this.back = back;
        this.away = away;
        before = standing.broken();
        ClusterView view = cluster.view();
        List<Pod> going = new ArrayList<>();
        for (int row = view.pods().firstOnNode(view.nodes().findPresent(node));
                row != PodTable.NONE;
                row = view.pods().nextOnNode(row)) {
            Pod pod = view.pods().pod(row);
            if (pod.meta().terminating()) {
                going.add(pod);
            } else if (isOfItsNode(pod)) {
                ofTheNode.add(pod);
            } else {
                all.add(new Leaving(pod, pod.meta().controller().map(_ -> successorOf(pod)), budgets.of(row)));
            }
        }
        cluster.preemptPods(going);
        all.sort(Comparator.comparingInt((Leaving each) -> -each.pod().spec().priority())
                .thenComparing(each -> each.pod().key()));
        remaining = new ArrayList<>(all);
    }

    static boolean isOfItsNode(Pod pod) {
        return pod.meta().controller().filter(OwnerReference::keepsPodsOnNodes).isPresent();
    }

    /** A pod that was moved before is its own. */
    static Pod successorOf(Pod pod) {
        return !pod.isPlaced() && pod.status().equals(PodStatus.PENDING)
                ? pod
                : PodBuilder.from(pod).nodeName("").status(PodStatus.PENDING).build();
    }

    /** What stands in the way whatever else happens. */
    Optional<String> contradiction(boolean goesUnowned) {
        for (Leaving each : all) {
            String pod = "pod " + each.pod().key() + " on " + node;
            if (!each.isMadeAgain() && !goesUnowned) {
                return Optional.of(pod + " has no controller, and nothing would make it again");
            }
            if (each.budgets().size() > 1) {
                return Optional.of(pod + " has " + each.budgets().size()
                        + " PodDisruptionBudgets, and the API server evicts no such pod");
            }
            for (Budget budget : each.budgets()) {
                Optional<String> never = budget.contradiction();
                if (never.isPresent()) {
                    return Optional.of(pod + " cannot be evicted: " + never.get());
                }
            }
        }
        return Optional.empty();
    }

    /** Empties the node in the largest waves, the scheduler choosing where the successors go. Returns what is in the way. */
    Optional<String> asScheduled() {
        while (!remaining.isEmpty()) {
            for (Leaving each : remaining) {
                if (EvictionBudgets.lets(each.pod(), each.budgets())) {
                    evict(each);
                    missing.add(each);
                }
            }
            if (missing.isEmpty()) {
                Leaving stays = remaining.getFirst();
                return Optional.of(problem("pod " + stays.pod().key() + " cannot be evicted: "
                        + stays.budgets().getFirst().refusal()));
            }
            remaining.removeAll(missing);
            List<Move> moves = new ArrayList<>();
            while (!missing.isEmpty()) {
                Leaving next = missing.getFirst();
                if (next.isMadeAgain()) {
                    Verdict verdict = scheduled(next.successor().get());
                    if (!(verdict instanceof Verdict.Placed(Pod _, String to))) {
                        return Optional.of(problem("pod " + next.pod().key() + " finds no other node: "
                                + ((Verdict.Refused) verdict).message().replaceFirst("[.]$", "")));
                    }
                    moves.add(new Move(next.pod(), node, to));
                    EvictionBudgets.comes(next.budgets());
                }
                missing.removeFirst();
            }
            waves.add(moves);
        }
        return broken();
    }

    /** Where the scheduler would put it of the nodes that stay: a pod that tolerates cordons is held there. */
    private Verdict scheduled(Pod successor) {
        Verdict verdict = cluster.schedulePod(successor, USUAL);
        if (!(verdict instanceof Verdict.Placed(Pod placed, String to)) || !isLeft(to)) {
            return verdict;
        }
        cluster.preemptPods(List.of(placed));
        held.add(successor.key());
        return cluster.schedulePod(
                successor,
                USUAL.among(cluster.nodes().stream()
                        .map(Node::name)
                        .filter(other -> !isLeft(other))
                        .collect(Collectors.toSet())));
    }

    /** Whether pods leave the node, or have left it. */
    boolean isLeft(String name) {
        return name.equals(node) || away.contains(name);
    }

    private String problem(String what) {
        return node + " cannot be drained: " + what;
    }

    void evict(Leaving each) {
        EvictionBudgets.goes(each.pod(), each.budgets());
        isGone(each);
    }

    /** The budgets have been told before. */
    void isGone(Leaving each) {
        cluster.preemptPods(List.of(each.pod()));
    }

    /** What is in the way once all pods have gone. */
    Optional<String> broken() {
        return standing.newlyBroken(before, all.stream().map(Leaving::pod).toList())
                .map(what -> problem("then " + what));
    }

    /** The same once the node is taken away, with those that are of it alone. */
    Optional<String> brokenOnceGone() {
        return standing.newlyBroken(
                        before,
                        Stream.concat(all.stream().map(Leaving::pod), ofTheNode.stream())
                                .toList())
                .map(what -> problem("once it is away " + what));
    }

    /** Takes back what the budgets have been told. */
    void takeBack() {
        for (Leaving each : all) {
            if (!remaining.contains(each)) {
                EvictionBudgets.goesNot(each.pod(), each.budgets());
                if (each.isMadeAgain() && !missing.contains(each)) {
                    EvictionBudgets.comesNot(each.budgets());
                }
            }
        }
    }

    /** Once it is empty. */
    Step step() {
        return new Step(
                node,
                back,
                waves.stream().filter(wave -> !wave.isEmpty()).toList(),
                held,
                all.stream()
                        .filter(each -> !each.isMadeAgain())
                        .map(Leaving::pod)
                        .toList());
    }
}
